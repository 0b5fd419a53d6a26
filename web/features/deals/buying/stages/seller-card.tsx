import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { Card } from '../../../../components/layout/card.tsx'
import { FactTable } from '../../../../components/lists/fact-table.tsx'
import { contactFacts } from '../../selling/contact-facts.tsx'

export function SellerCard({ seller }: Pick<Progress, 'seller'>) {
  return (
    <Card title={wizardTexts.sellerTitle} order={3}>
      <FactTable
        label={wizardTexts.sellerTitle}
        facts={[{ term: wizardTexts.name, value: fullName(seller) }, ...contactFacts(seller, wizardTexts)]}
      />
    </Card>
  )
}
