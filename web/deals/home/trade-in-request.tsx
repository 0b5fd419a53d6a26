import { carName } from '@keyturn/contract/cars/rules.ts'
import { isPending } from '@keyturn/contract/deals/rules.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useMyId } from '../../who/session.tsx'
import { carsOfQuery, progressQuery } from '../queries.ts'

const texts = termsTexts.falls

/** What deleting a trade takes out of a request, and whether a signature falls with it (R-deals-56). */
export function TradeInRequest({ trade }: { trade: Trade }) {
  const me = useMyId()
  const purchases = useQuery({
    ...carsOfQuery(me),
    select: (all) => all.filter(({ sellerId, status }) => sellerId !== me && isPending(status)),
  })
  const progresses = useQueries({
    queries: (purchases.data ?? []).map(({ sellerId, vin }) => progressQuery(sellerId, vin)),
  })
  const holding = progresses.find(({ data }) => data?.requestTradeVins.includes(trade.vin))?.data
  if (!holding) return null
  return (
    <Notice kind="waiting">
      <p>{texts.trade(carName(holding.carDetails))}</p>
      {holding.buyerSigned && <p>{texts.tradeSigned}</p>}
    </Notice>
  )
}
