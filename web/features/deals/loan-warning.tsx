import { carName } from '@keyturn/contract/cars/rules.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../components/feedback/notice.tsx'
import { progressQuery } from './queries.ts'

const { falls } = termsTexts

/** The pending request that contains a trade. */
export const useRequestOf = ({ usedFor }: Pick<Trade, 'usedFor'>) =>
  useQuery({
    ...progressQuery(usedFor?.sellerId ?? '', usedFor?.vin ?? ''),
    enabled: usedFor?.use === 'REQUESTED',
  })

/** Warns before a changed loan on a trade voids the buyer's signature (R-deals-56). */
export function LoanWarning({ trade }: { trade: Trade }) {
  const { data } = useRequestOf(trade)
  if (!data) return null
  return (
    <Notice kind="waiting">
      <p>{falls.tradeLoan(carName(data.carDetails))}</p>
      {data.buyerSigned && <p>{falls.tradeLoanSigned}</p>}
    </Notice>
  )
}
