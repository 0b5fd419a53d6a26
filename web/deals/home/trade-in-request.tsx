import { carName } from '@keyturn/contract/cars/rules.ts'
import { getProgress } from '@keyturn/contract/deals/calls.ts'
import { isPending } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { type DeletedTrade, DeleteTradeDialog } from '../../trades/owner/delete-trade-dialog.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useMyId } from '../../who/session.tsx'
import { isRefusedWith } from '../../wire/refusals.ts'
import { carsOfQuery, progressQuery } from '../queries.ts'

const texts = termsTexts.falls

/** Deletes a trade, once it is read what that takes out of a request and whether a signature falls with it (R-deals-56). */
export function DeleteTradeInRequest(deleted: DeletedTrade) {
  const { holding, isRead, failed } = useRequestWith(deleted.trade.vin)
  return (
    <DeleteTradeDialog {...deleted} failed={failed}>
      {isRead ? holding && <Part of={holding} /> : undefined}
    </DeleteTradeDialog>
  )
}

function Part({ of: { carDetails, buyerSigned } }: { of: Progress }) {
  return (
    <Notice kind="waiting">
      <p>{texts.trade(carName(carDetails))}</p>
      {buyerSigned && <p>{texts.tradeSigned}</p>}
    </Notice>
  )
}

/** The request that a trade is part of, or null; read once every pending one is. */
function useRequestWith(tradeVin: string) {
  const me = useMyId()
  const purchases = useQuery({
    ...carsOfQuery(me),
    select: (all) => all.filter(({ sellerId, status }) => sellerId !== me && isPending(status)),
  })
  const progresses = useQueries({
    queries: (purchases.data ?? []).map(({ sellerId, vin }) => progressQuery(sellerId, vin)),
  })
  // A purchase that has ended since holds no trade.
  const asked = progresses.filter(({ error }) => !isRefusedWith(error, getProgress, 'NotFound'))
  return {
    holding: asked.find(({ data }) => data?.requestTradeVins.includes(tradeVin))?.data ?? null,
    isRead: purchases.data !== undefined && asked.every(({ data }) => data !== undefined),
    failed: [purchases, ...asked].find(({ data, isError }) => isError && data === undefined) ?? null,
  }
}
