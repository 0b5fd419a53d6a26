import { type Estimate, remainingByYear } from '@keyturn/contract/deals/financing.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { formatUsdExact, formatUsdShort } from '@keyturn/contract/shared/money.ts'
import { ColumnChart } from '../../../../components/display/column-chart.tsx'

const texts = wizardTexts.loan

/** The balance of the loan over time, and the interest that its payments still include. */
export const LoanChart = ({ loan }: { loan: Estimate }) => (
  <ColumnChart
    caption={texts.chart}
    series={[texts.left, texts.interestToCome]}
    columns={remainingByYear(loan).map(({ year, balance, interest }) => ({
      label: year === 0 ? texts.start : texts.yearShort(year),
      values: [balance, interest],
    }))}
    format={formatUsdShort}
    table={{
      summary: texts.table,
      head: [texts.year, texts.principal, texts.interest, texts.left],
      rows: loan.years.map(({ year, principal, interest, balance }) => [
        String(year),
        ...[principal, interest, balance].map(formatUsdExact),
      ]),
    }}
  />
)
