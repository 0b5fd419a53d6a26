import { cents } from '@keyturn/contract/shared/money.ts'
import {
  listAvailableTrades,
  listTrades,
  listTradesOfUser,
  lookUpTaxRate,
  readTradeHistory,
} from '@keyturn/contract/trades/endpoints.ts'
import type { TradeFilter } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { queryOptions } from '@tanstack/react-query'
import { hasErrorCode } from '../../api/errors.ts'
import { endpointQuery, pagedQuery } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { administratorKey } from '../../auth/remembered-person.ts'

export const tradesOfUserQuery = (userId: string) =>
  endpointQuery(listTradesOfUser, ['trades', 'of-user', userId], { params: { userId } })

/** Everybody's trades, refetched every minute (R-trades-22). */
export const allTradesQuery = (status: TradeFilter) =>
  pagedQuery(listTrades, ['trades', 'all', status], { status }, { refetchInterval: 60_000 })

/** The ledger of one trade, oldest first. */
export const tradeHistoryQuery = (tradeId: string) =>
  endpointQuery(readTradeHistory, ['trades', 'history', tradeId], { params: { tradeId } })

const unknownRate = { rate: tradeTexts.tax.unavailable, state: null, asOf: null }

/**
 * A ZIP code's rate as a number or a word. A missing rate does not prevent offers (R-trades-28).
 */
export const taxRateQuery = (zipCode: string) =>
  queryOptions({
    queryKey: ['trades', 'tax-rate', zipCode],
    queryFn: async ({ signal }) => {
      try {
        const [first] = await send(lookUpTaxRate, { query: { zipCode, basePrice: cents(0) } }, { signal })
        return first ? { rate: first.state_rate, state: first.state, asOf: first.as_of } : unknownRate
      } catch (fault) {
        if (hasErrorCode(fault, lookUpTaxRate, 'UnknownZip')) return unknownRate
        throw fault
      }
    },
    staleTime: 10 * 60_000,
  })

/** Polled, because the administrator gets no server events. */
export const rejectedTradesQuery = pagedQuery(
  listTrades,
  [...administratorKey, 'trades', 'rejected'],
  { status: 'REJECTED' },
  { refetchInterval: 15_000 },
)

/**
 * Accepted trades that are not in another open deal. Those in the request for `vin` are included.
 */
export const availableTradesQuery = (userId: string, vin: string) =>
  endpointQuery(listAvailableTrades, ['trades', 'available', userId, vin], {
    params: { userId },
    query: { vin },
  })
