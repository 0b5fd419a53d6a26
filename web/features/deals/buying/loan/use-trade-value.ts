import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { type Cents, centsToDollars } from '@keyturn/contract/shared/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useMyId } from '../../../../auth/session.tsx'
import { availableTradesQuery } from '../../../trades/queries.ts'

type TradeValue = {
  value: number | ''
  isKnown: boolean
  /** Money is owed on one of the trades. */
  isOwed: boolean
  /** Their values and loans, as terms have them. */
  terms: { value: Cents; owes: boolean; payoffAmount: Cents | null }[]
}

/** Adds up the accepted offers for the chosen trades, in dollars; known once all of them are loaded. */
export function useTradeValue({ vin, tradeVins }: Progress): TradeValue {
  const trades = useQuery({ ...availableTradesQuery(useMyId(), vin), enabled: tradeVins.length > 0 })
  const chosen = (trades.data ?? []).filter((trade) => tradeVins.includes(trade.vin))
  const sum = chosen.reduce((sofar, trade) => sofar + centsToDollars(trade.price), 0)
  return {
    value: sum || '',
    isKnown: chosen.length === tradeVins.length,
    isOwed: chosen.some(({ payoff }) => payoff),
    terms: chosen.map(({ price, payoff, payoffAmount }) => ({ value: price, owes: payoff, payoffAmount })),
  }
}
