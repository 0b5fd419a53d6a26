import { carName } from '@keyturn/contract/cars/rules.ts'
import type { EventTrade } from '@keyturn/contract/deals/events.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { lockTradesForRequest } from '../../trades/trade-locks.ts'
import type { DealView } from '../deal-view-repository.ts'
import * as tradeStore from '../trade-repository.ts'
import type { LockedCar } from './lock-deal.ts'

export type RequestTrades = { before: EventTrade[]; after: EventTrade[] }

/** Sets the trades of a request. Each trade belongs to at most one open deal (R-trades-13). */
export async function attachTrades(
  tx: Db,
  { car }: LockedCar,
  view: DealView,
  vins: readonly string[],
): Promise<RequestTrades> {
  const { id: dealId, buyerId } = view.deal
  const before = await tradeStore.findTradesOfDeal(tx, { dealId })
  await tradeStore.deleteDealTrades(tx, { dealId })
  const trades = vins.includes(car.vin) ? null : await lockTradesForRequest(tx, buyerId, vins)
  if (!trades) throw await findTradeError(tx, view, vins)
  for (const trade of trades) await tradeStore.insertDealTrade(tx, { dealId, tradeId: trade.id })
  return { before, after: await tradeStore.findTradesOfDeal(tx, { dealId }) }
}

export const tradeIdsOf = (trades: readonly EventTrade[]): string => trades.map(({ _id }) => _id).join()

/**
 * Returns the error for unavailable trades. It names a trade reserved by the buyer's other deal and
 * that deal's car (R-trades-13).
 */
export async function findTradeError(tx: Db, { deal }: DealView, vins: readonly string[]): Promise<ApiError> {
  const [reserved] = await tradeStore.findReservedTrade(tx, {
    buyerId: deal.buyerId,
    vins: [...vins],
    dealId: deal.id,
  })
  if (!reserved) return dealErrors.TradeUnavailable()
  const message = wizardTexts.trade.promised(nameOf(reserved.trade), nameOf(reserved.car))
  return dealErrors.TradeUnavailable({ message })
}

const nameOf = ({ model, ...car }: { year: number; make: string; model: string; trim: string }) =>
  carName({ ...car, carModel: model })
