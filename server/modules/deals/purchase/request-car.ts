import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type {
  decideRequest as decideCall,
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
import type { ChangeContext } from '../../../platform/http/change-context.ts'
import { requireFreshVersion } from '../../../platform/http/require-fresh-version.ts'
import { lockExistingPerson } from '../../accounts/people/lock-person.ts'
import { isSuspended } from '../../accounts/people/suspension.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import { type DealView, readDealView } from '../deal-view-repository.ts'
import { recordDealEvent } from '../event-repository.ts'
import { toBuyerCar, toRequestedTrades } from '../mappers.ts'
import { notifyRequested, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { columnsAfterMove } from '../repository.ts'
import { encodeProgress, requireMove } from './deal-moves.ts'
import { lapseEndedHolds } from './hold.ts'
import { type LockedCar, lockDealOfBuyer } from './lock-deal.ts'
import { attachTrades, joinTradeIds, type RequestTrades } from './request-trades.ts'

/** Sends a buyer's first request (stage 5, `isNew`) or replaces the earlier one. */
export async function requestCar(
  deps: Deps,
  by: ChangeContext,
  form: EndpointInput<typeof requestCall>['body'],
): Promise<{ car: Car; isNew: boolean }> {
  if (form.buyerId && form.buyerId !== by.actorId) throw apiErrors.NotFound()
  return transaction(deps, async (tx) => {
    await lockExistingPerson(tx, by.actorId)
    const [open] = await carStore.lockLiveCarByVin(tx, { vin: form.vin })
    if (!open || (form.sellerId && form.sellerId !== open.car.sellerId)) throw apiErrors.NotFound()
    const { car } = open
    if (car.sellerId === by.actorId) throw dealErrors.OwnCar()
    await lapseEndedHolds(deps, tx, car)
    const view = await lockDealOfBuyer(tx, car, by.actorId, by)
    const current = () => (view ? encodeProgress(view, deps, by.actorId) : undefined)
    // Repeating the current request notifies nobody, whatever version the caller read.
    const isRepeated = view !== null && isSameRequest(view, form.price, form.trades)
    if (view && !isRepeated) requireFreshVersion(form.version, [view.deal.version, car.version], current)
    if (!view && (await isSuspended(tx, car.sellerId))) throw apiErrors.NotFound()
    if (view && isRepeated) return { car: await returnToRequestStep(tx, car, view), isNew: false }
    if (await hasOtherConfirmedBuyer(tx, car.id, by.actorId)) throw dealErrors.CarUnavailable()
    if (!view || view.deal.activeStep < 5) throw dealErrors.StageNotReachable({ current: current() })
    const move = requireMove(view, 'BUYER', ['request'], current)
    if (view.deal.hasTrade && form.trades.length === 0) throw dealErrors.TradeRequired()
    const isNew = view.deal.status === 'STARTED'
    const trades = await attachTrades(tx, open, view, form.trades)
    await store.saveDeal(tx, view.deal.id, {
      ...columnsAfterMove(move),
      priceCents: form.price,
      hasTrade: form.trades.length > 0,
      chosenTradeVins: form.trades,
      activeStep: 6,
      reachedStep: 6,
      sellerMessage: '',
      requestedAt: view.deal.requestedAt ?? now,
      ...store.termsVersionBump,
    })
    await recordRequest(tx, move.by, by, view, form.price, trades)
    await notifyRequested(deps, tx, view, form.price)
    await publishCarChange(tx, car)
    return { car: toBuyerCar(await readDealView(tx, view.deal.id)), isNew }
  })
}

export async function repriceRequest(
  deps: Deps,
  tx: Db,
  by: ChangeContext,
  open: LockedCar,
  form: EndpointInput<typeof decideCall>['body'],
): Promise<Car> {
  const view = await lockDealOfBuyer(tx, open.car, by.actorId, by)
  if (!view) throw open.car.sellerId === by.actorId ? apiErrors.Forbidden() : apiErrors.NotFound()
  const { price } = form
  if (price === undefined)
    throw apiErrors.ValidationError({
      message: fieldTexts.price,
      fields: [{ path: 'price', message: fieldTexts.price }],
    })
  const current = () => encodeProgress(view, deps, by.actorId)
  requireFreshVersion(form.version, [view.deal.version], current)
  const move = requireMove(view, 'BUYER', ['reprice'], current)
  // A pending request retains its trades whatever the draft contains. After a denial, the request
  // gets the draft's trades.
  const { status, chosenTradeVins } = view.deal
  const vins = isPending(status) ? view.requestTradeVins : chosenTradeVins
  if (isSameRequest(view, price, vins)) return returnToRequestStep(tx, open.car, view)
  const trades = await attachTrades(tx, open, view, vins)
  await store.saveDeal(tx, view.deal.id, {
    ...columnsAfterMove(move),
    priceCents: price,
    sellerMessage: '',
    hasTrade: vins.length > 0,
    chosenTradeVins: vins,
    activeStep: 6,
    ...store.termsVersionBump,
  })
  await recordRequest(tx, move.by, by, view, price, trades)
  await notifyRequested(deps, tx, view, price)
  await publishCarChange(tx, open.car)
  return toBuyerCar(await readDealView(tx, view.deal.id))
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
  const hasSameTrades = [...requestTradeVins].sort().join() === [...new Set(vins)].sort().join()
  const isRepeated = isReserved(deal.status) || (isPending(deal.status) && !buyerSignature)
  return isRepeated && deal.priceCents === price && hasSameTrades
}

/** Changes only the buyer's wizard step: it moves to the step after a sent request. */
async function returnToRequestStep(tx: Db, car: CarRow, view: DealView): Promise<Car> {
  if (view.deal.activeStep === 6) return toBuyerCar(view)
  await store.saveDeal(tx, view.deal.id, { activeStep: 6, ...toRequestedTrades(view) })
  await publishCarChange(tx, car)
  return toBuyerCar(await readDealView(tx, view.deal.id))
}

/** Records what a request changed: a first request, a new price, or other trades. */
async function recordRequest(
  tx: Db,
  party: DealParty,
  by: ChangeContext,
  view: DealView,
  price: Cents,
  trades: RequestTrades,
) {
  const { id, status, priceCents } = view.deal
  const isNewRequest = !isPending(status) && (priceCents === null || priceCents === price)
  const hasNewTrades = isPending(status) && joinTradeIds(trades.before) !== joinTradeIds(trades.after)
  if (isNewRequest) await recordDealEvent(tx, id, party, by, { event: 'requested', price })
  // Resending a signed request voids the signature; the event records the cause.
  else if (priceCents !== price || !hasNewTrades)
    await recordDealEvent(tx, id, party, by, {
      event: 'repriced',
      from: priceCents === null ? null : cents(priceCents),
      to: price,
    })
  if (hasNewTrades)
    await recordDealEvent(tx, id, party, by, {
      event: 'tradesChanged',
      from: trades.before,
      to: trades.after,
    })
}

export async function hasOtherConfirmedBuyer(tx: Db, carId: string, buyerId: string): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId })
  return all.some((deal) => deal.buyerId !== buyerId && isReserved(deal.status))
}
