import { addTrade } from '@keyturn/contract/trades/endpoints.ts'
import { useConfirmedForm } from '../../../api/mutations/use-confirmed-form.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useMyId } from '../../../auth/session.tsx'
import { type NewTrade, parseNewTrade, useTradeForm } from './trade-form.tsx'

export type TradeEntry = ReturnType<typeof useTradeEntry>

/** Submits a trade from the trade page or a purchase. */
export function useTradeEntry() {
  const buyerId = useMyId()
  const adding = useEndpointMutation(addTrade, { refresh: [['trades'], ['deals']] })
  return useConfirmedForm(useTradeForm(), {
    draft: 'trade',
    givenOf: parseNewTrade,
    add: (trade: NewTrade) => adding.act({ body: { ...trade, buyerId } }),
  })
}
