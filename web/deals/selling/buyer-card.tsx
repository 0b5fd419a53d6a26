import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Vin } from '../../ui/deal/vin.tsx'
import { Card } from '../../ui/frame/card.tsx'
import { FactTable } from '../../ui/lists/fact-table.tsx'
import { contactFacts } from './contact-facts.tsx'
import { financingText } from './request-facts.ts'

/** The buyer's contact data, and what the request includes besides the price. */
export function BuyerCard({ deal }: { deal: Progress }) {
  const { buyer, tradeVins, needsFinancing, financing } = deal
  return (
    <Card title={texts.parties}>
      <FactTable
        facts={[
          { term: texts.buyer, value: fullName(buyer) },
          ...contactFacts(buyer),
          {
            term: texts.trades,
            value:
              tradeVins.length > 0 ? tradeVins.map((vin) => <Vin key={vin} value={vin} />) : texts.noTrades,
          },
          { term: texts.financing, value: financingText(needsFinancing, financing) },
        ]}
      />
    </Card>
  )
}
