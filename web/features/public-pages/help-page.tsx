import { Card } from '../../components/layout/card.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Faq } from './faq.tsx'
import { pageTexts } from './page-texts.ts'

const texts = pageTexts.help

export function HelpPage() {
  return (
    <Page title={texts.title} width="wizard">
      <Card title={texts.faqs}>
        <Faq items={texts.items} />
      </Card>
      <Card title={texts.moreTitle}>
        <Faq items={texts.more} />
      </Card>
    </Page>
  )
}
