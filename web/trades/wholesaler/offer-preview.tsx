import { type Cents, cents, formatUsdExact } from '@keyturn/contract/kit/money.ts'
import { explainCredit, formatRate } from '@keyturn/contract/trades/explanation.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FactTable } from '../../ui/lists/fact-table.tsx'
import { taxRateQuery } from '../queries.ts'

const texts = tradeTexts.tax

/** How the owner will see the offer. This is only a preview: the server computes the credit itself. */
export function OfferPreview({ amount, zipCode }: { amount: Cents | null; zipCode: string }) {
  const rate = useQuery(taxRateQuery(zipCode))
  const known = rate.data ?? (rate.error ? texts.error : null)
  const { credit, total } = explainCredit(amount ?? cents(0), zipCode, known)
  const shown = (value: Cents) => (amount === null || known === null ? '–' : formatUsdExact(value))
  return (
    <div>
      <Text fz="sm" fw={700} mb="xs">
        {tradeTexts.wholesaler.preview}
      </Text>
      <FactTable
        facts={[
          { term: texts.credit, value: shown(credit) },
          { term: texts.rate, value: known === null ? '–' : formatRate(known) },
          { term: texts.total, value: shown(total), strong: true },
        ]}
      />
      <Text c="dimmed" fz="sm" mt="xs">
        {tradeTexts.wholesaler.estimate}
      </Text>
    </div>
  )
}
