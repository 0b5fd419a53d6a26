import { availableTrades } from '@keyturn/contract/trades/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../../send.ts'

/** Accepted trades that are in no other live deal; those of the request for `vin` count as free. */
export const availableTradesQuery = (userId: string, vin: string) =>
  queryOptions({
    queryKey: ['trades', 'available', userId, vin],
    queryFn: ({ signal }) => send(availableTrades, { params: { userId }, query: { vin } }, { signal }),
  })
