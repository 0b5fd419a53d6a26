import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type {
  decideBuyer as decideCall,
  requestCar as requestCall,
} from '@keyturn/contract/deals/endpoints.ts'
import { type DealParty, isPending, isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { requireFreshVersion } from '../../../platform/http/fresh-version.ts'
import type { Origin } from '../../../platform/http/origin.ts'
import { requirePerson } from '../../accounts/actions.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import type { DealView } from '../deal-view-repository.ts'
import { readDealView } from '../deal-view-repository.ts'
import { recordDealEvent } from '../event-repository.ts'
import { carOfBuyer, requestedTrades } from '../mappers.ts'
import { notifyRequested, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { movedTo } from '../repository.ts'
import { currentOf, requireMove } from './deal-moves.ts'
import { settleHolds } from './hold.ts'
import { type OpenCar, openDealOf } from './lock-deal.ts'
import { attachTrades, idsOf, type RequestTrades } from './request-trades.ts'

/**
 * Sends a buyer's first request (stage 5) or replaces the earlier one. `isNew` is true for a first
 * request.
 */
export async function requestCar(
  deps: Deps,
  by: Origin,
  form: EndpointInput<typeof requestCall>['body'],
): Promise<{ car: Car; isNew: boolean }> {
  if (form.buyerId && form.buyerId !== by.actorId) throw apiErrors.NotFound()
  return transaction(deps, async (tx) => {
    await requirePerson(tx, by.actorId)
    const [open] = await carStore.lockLiveCarByVin(tx, { vin: form.vin })
    if (!open || (form.sellerId && form.sellerId !== open.car.sellerId)) throw apiErrors.NotFound()
    const { car } = open
    if (car.sellerId === by.actorId) throw dealErrors.OwnCar()
    await settleHolds(deps, tx, car)
    const view = await openDealOf(tx, car, by.actorId, by)
    const current = () => (view ? currentOf(view, deps, by.actorId) : undefined)
    // Repeating the current request notifies nobody, whatever version the caller read.
    const stands = view !== null && isSameRequest(view, form.price, form.trades)
    if (view && !stands) requireFreshVersion(form.version, [view.deal.version, car.version], current)
    if (view && stands) return { car: await stayRequested(tx, car, view), isNew: false }
    if (await isAcceptedElsewhere(tx, car.id, by.actorId)) throw dealErrors.CarUnavailable()
    if (!view || view.deal.activeStep < 5) throw dealErrors.StageNotReachable({ current: current() })
    const move = requireMove(view, 'BUYER', ['request'], current)
    if (view.deal.hasTrade && form.trades.length === 0) throw dealErrors.TradeRequired()
    const isNew = view.deal.status === 'STARTED'
    const trades = await attachTrades(tx, open, view, form.trades)
    await store.saveDeal(tx, view.deal.id, {
      ...movedTo(move),
      priceCents: form.price,
      hasTrade: form.trades.length > 0,
      chosenTradeVins: form.trades,
      activeStep: 6,
      reachedStep: 6,
      sellerMessage: '',
      requestedAt: view.deal.requestedAt ?? now,
      ...store.newDealTerms,
    })
    await recordRequest(tx, move.by, by, view, form.price, trades)
    await notifyRequested(deps, tx, view, form.price)
    await publishCarChange(tx, car)
    return { car: carOfBuyer(await readDealView(tx, view.deal.id)), isNew }
  })
}

export async function reprice(
  deps: Deps,
  tx: Db,
  by: Origin,
  open: OpenCar,
  form: EndpointInput<typeof decideCall>['body'],
): Promise<Car> {
  const view = await openDealOf(tx, open.car, by.actorId, by)
  if (!view) throw open.car.sellerId === by.actorId ? apiErrors.Forbidden() : apiErrors.NotFound()
  const { price } = form
  if (price === undefined)
    throw apiErrors.ValidationError({
      message: fieldTexts.price,
      fields: [{ path: 'price', message: fieldTexts.price }],
    })
  const current = () => currentOf(view, deps, by.actorId)
  requireFreshVersion(form.version, [view.deal.version], current)
  const move = requireMove(view, 'BUYER', ['reprice'], current)
  // A pending request retains its trades whatever the draft contains. After a denial, the request
  // gets the draft's trades.
  const { status, chosenTradeVins } = view.deal
  const vins = isPending(status) ? view.requestTradeVins : chosenTradeVins
  if (isSameRequest(view, price, vins)) return stayRequested(tx, open.car, view)
  const trades = await attachTrades(tx, open, view, vins)
  await store.saveDeal(tx, view.deal.id, {
    ...movedTo(move),
    priceCents: price,
    sellerMessage: '',
    hasTrade: vins.length > 0,
    chosenTradeVins: vins,
    activeStep: 6,
    ...store.newDealTerms,
  })
  await recordRequest(tx, move.by, by, view, price, trades)
  await notifyRequested(deps, tx, view, price)
  await publishCarChange(tx, open.car)
  return carOfBuyer(await readDealView(tx, view.deal.id))
}

/**
 * True when the same request was already sent and is either not signed yet or already confirmed.
 * Nothing changes and nobody is notified (R-deals-54).
 */
function isSameRequest(
  { deal, requestTradeVins, buyerSignature }: DealView,
  price: Cents,
  vins: readonly string[],
): boolean {
  const sameTrades = [...requestTradeVins].sort().join() === [...new Set(vins)].sort().join()
  const stands = isReserved(deal.status) || (isPending(deal.status) && !buyerSignature)
  return stands && deal.priceCents === price && sameTrades
}

/** Changes only the buyer's wizard step: it moves to the step after a sent request. */
async function stayRequested(tx: Db, car: CarRow, view: DealView): Promise<Car> {
  if (view.deal.activeStep === 6) return carOfBuyer(view)
  await store.saveDeal(tx, view.deal.id, { activeStep: 6, ...requestedTrades(view) })
  await publishCarChange(tx, car)
  return carOfBuyer(await readDealView(tx, view.deal.id))
}

/** Records what a request changed: a first request, a new price, or other trades. */
async function recordRequest(
  tx: Db,
  party: DealParty,
  by: Origin,
  view: DealView,
  price: Cents,
  trades: RequestTrades,
) {
  const { id, status, priceCents } = view.deal
  const isAsked = !isPending(status) && (priceCents === null || priceCents === price)
  const newTrades = isPending(status) && idsOf(trades.before) !== idsOf(trades.after)
  if (isAsked) await recordDealEvent(tx, id, party, by, { event: 'requested', price })
  // Resending a signed request voids the signature; the event records the cause.
  else if (priceCents !== price || !newTrades)
    await recordDealEvent(tx, id, party, by, {
      event: 'repriced',
      from: priceCents === null ? null : cents(priceCents),
      to: price,
    })
  if (newTrades)
    await recordDealEvent(tx, id, party, by, {
      event: 'tradesChanged',
      from: trades.before,
      to: trades.after,
    })
}

export async function isAcceptedElsewhere(tx: Db, carId: string, buyerId: string): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId })
  return all.some((deal) => deal.buyerId !== buyerId && isReserved(deal.status))
}
