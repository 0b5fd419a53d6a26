import { pageTexts } from '@keyturn/contract/accounts/page-texts.ts'
import { Card } from '../ui/card.tsx'
import { Faq } from '../ui/faq.tsx'
import { Page } from '../ui/page.tsx'

const texts = pageTexts.help

export function Help() {
  return (
    <Page title={texts.title} width="wizard">
      <Card title={texts.faqs}>
        <Faq items={texts.items} />
      </Card>
    </Page>
  )
}
