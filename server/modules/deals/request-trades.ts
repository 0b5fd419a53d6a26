import { carName } from '@keyturn/contract/cars/rules.ts'
import type { EventTrade } from '@keyturn/contract/deals/events.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import type { Db } from '../../platform/database/open.ts'
import { lockTradesForRequest } from '../trades/actions.ts'
import type { OpenCar } from './open-deal.ts'
import * as tradeStore from './trade-repository.ts'
import type { DealView } from './views.ts'

export type RequestTrades = { before: EventTrade[]; after: EventTrade[] }

/** Puts exactly these of the buyer's trades into the request; each serves one open deal only (R-trades-13). */
export async function attachTrades(
  tx: Db,
  { car }: OpenCar,
  view: DealView,
  vins: readonly string[],
): Promise<RequestTrades> {
  const { id: dealId, buyerId } = view.deal
  const before = await tradeStore.findTradesOfDeal(tx, { dealId })
  await tradeStore.freeTrades(tx, { dealId })
  const trades = vins.includes(car.vin) ? null : await lockTradesForRequest(tx, buyerId, vins)
  if (!trades) throw await tradeUnavailable(tx, view, vins)
  for (const trade of trades) await tradeStore.attachTrade(tx, { dealId, tradeId: trade.id })
  return { before, after: await tradeStore.findTradesOfDeal(tx, { dealId }) }
}

export const idsOf = (trades: readonly EventTrade[]): string => trades.map(({ _id }) => _id).join()

/** Why trades cannot serve this deal: one that another deal of the buyer holds is named, with that deal's car (R-trades-13). */
export async function tradeUnavailable(
  tx: Db,
  { deal }: DealView,
  vins: readonly string[],
): Promise<ApiError> {
  const [promised] = await tradeStore.findPromisedTrade(tx, {
    buyerId: deal.buyerId,
    vins: [...vins],
    dealId: deal.id,
  })
  if (!promised) return dealErrors.TradeUnavailable()
  const message = wizardTexts.trade.promised(nameOf(promised.trade), nameOf(promised.car))
  return dealErrors.TradeUnavailable({ message })
}

const nameOf = ({ model, ...car }: { year: number; make: string; model: string; trim: string }) =>
  carName({ ...car, carModel: model })
