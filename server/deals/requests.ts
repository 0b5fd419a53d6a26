import type { Car } from '@keyturn/contract/cars/calls.ts'
import type {
  decideBuyer as decideCall,
  Progress,
  requestCar as requestCall,
} from '@keyturn/contract/deals/calls.ts'
import type { EventTrade } from '@keyturn/contract/deals/events.ts'
import { type DealParty, isHeld, isTaken } from '@keyturn/contract/deals/rules.ts'
import { dealRefusals } from '@keyturn/contract/deals/texts.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import { fieldTexts } from '@keyturn/contract/kit/fields.ts'
import { type Cents, cents } from '@keyturn/contract/kit/money.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { requirePerson } from '../accounts/actions.ts'
import type { CarRow } from '../cars/tables.ts'
import { now } from '../db/columns.ts'
import { newId } from '../db/new-id.ts'
import { type Db, transaction, violated } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { lockTradesForRequest } from '../trades/actions.ts'
import {
  currentOf,
  movedTo,
  type OpenCar,
  type Origin,
  openDealOf,
  openIntendedDeal,
  openListing,
  progressNow,
  record,
  refuseStale,
  requireMove,
  settleHolds,
  viewOf,
} from './open-deal.ts'
import { tradeUnavailable } from './request-trades.ts'
import * as store from './store.ts'
import { tellConfirmed, tellDenied, tellReleased, tellRequested, touchCar } from './tell.ts'
import * as tradeStore from './trade-store.ts'
import { type DealView, findSellerCar } from './views.ts'
import { carOfBuyer, carOfSeller, dealFacts, progressOf, requestedTrades } from './wire.ts'

/** Begins a buyer's wizard on a car, once; later calls answer the same progress. Refuses `OwnCar` (R-deals-1, R-deals-3). */
export async function startProgress(
  deps: Deps,
  by: Origin,
  sellerId: string,
  vin: string,
): Promise<Progress> {
  return transaction(deps, async (tx) => {
    await requirePerson(tx, by.actorId)
    const { car } = await openListing(deps, tx, sellerId, vin)
    if (car.sellerId === by.actorId) throw dealRefusals.OwnCar()
    const known = await openDealOf(tx, car, by.actorId)
    if (known) return progressOf(known, deps.config.dealerName, by.actorId)
    if (car.completedAt) throw refuse.NotFound()
    const id = newId()
    await store.insertDeal(tx, { id, carId: car.id, sellerId: car.sellerId, buyerId: by.actorId })
    await record(tx, id, 'BUYER', by, { event: 'started' })
    await touchCar(tx, car)
    return progressNow(tx, id, deps, by)
  })
}

/** A buyer's request (stage 5), or the same buyer's new one in its place. `isNew` tells a first request from a repeated one. */
export async function requestCar(
  deps: Deps,
  by: Origin,
  form: Asked<typeof requestCall>['body'],
): Promise<{ car: Car; isNew: boolean }> {
  if (form.buyerId && form.buyerId !== by.actorId) throw refuse.NotFound()
  return transaction(deps, async (tx) => {
    await requirePerson(tx, by.actorId)
    const [open] = await store.lockLiveCarByVin(tx, { vin: form.vin })
    if (!open || (form.sellerId && form.sellerId !== open.car.sellerId)) throw refuse.NotFound()
    const { car } = open
    if (car.sellerId === by.actorId) throw dealRefusals.OwnCar()
    await settleHolds(deps, tx, car)
    const view = await openDealOf(tx, car, by.actorId)
    const current = () => (view ? currentOf(view, deps, by.actorId) : undefined)
    if (view) refuseStale(form.version, [view.deal.version, car.version], current)
    if (await isAcceptedElsewhere(tx, car.id, by.actorId)) throw dealRefusals.CarUnavailable()
    if (!view || view.deal.activeStep < 5) throw dealRefusals.StageNotReachable({ current: current() })
    const move = requireMove(view, 'BUYER', ['request'], current)
    if (view.deal.hasTrade && form.trades.length === 0) throw dealRefusals.TradeRequired()
    if (isSameRequest(view, form.price, form.trades))
      return { car: await stayRequested(tx, car, view), isNew: false }
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
    await tellRequested(tx, view, form.price)
    await touchCar(tx, car)
    return { car: carOfBuyer(await viewOf(tx, view.deal.id)), isNew }
  })
}

/** The seller confirms, denies or releases a buyer, or the buyer sets another price (R-deals-19). */
export async function decideBuyer(
  deps: Deps,
  by: Origin,
  form: Asked<typeof decideCall>['body'],
): Promise<Car> {
  return transaction(deps, async (tx) => {
    const open = await openListing(deps, tx, form.userId, form.vin)
    if (form.status === 'PENDING') return reprice(deps, tx, by, open, form)
    if (open.car.sellerId !== by.actorId) {
      const own = await openDealOf(tx, open.car, by.actorId)
      throw own ? refuse.Forbidden() : refuse.NotFound()
    }
    const view = form.buyerId
      ? await openDealOf(tx, open.car, form.buyerId)
      : await openIntendedDeal(tx, open.car)
    if (!view || view.deal.status === 'STARTED') {
      if (form.buyerId) throw refuse.NotFound()
      throw dealRefusals.InvalidTransition({ message: 'No buyer information available' })
    }
    const current = () => currentOf(view, deps, by.actorId)
    // The version of the listing counts all requests on it, that of a request stands for the buyer who is named.
    const [listing] = await findSellerCar(tx, { id: open.car.id })
    const seen = listing ? carOfSeller(listing).version : open.car.version
    refuseStale(form.version, form.buyerId ? [view.deal.version, seen] : [seen], current)
    if (form.status === 'ACCEPTED') await confirm(deps, tx, by, open, view, form.price)
    else await deny(deps, tx, by, view, form.message ?? '')
    await touchCar(tx, open.car)
    const [row] = await findSellerCar(tx, { id: open.car.id })
    if (!row) throw refuse.NotFound()
    return carOfSeller(row)
  })
}

async function confirm(
  deps: Deps,
  tx: Db,
  by: Origin,
  { car }: OpenCar,
  view: DealView,
  price: Cents | undefined,
) {
  const current = () => currentOf(view, deps, by.actorId)
  if (await isAcceptedElsewhere(tx, car.id, view.deal.buyerId)) throw dealRefusals.BuyerAlreadyConfirmed()
  const move = requireMove(view, 'SELLER', ['confirm'], current)
  if (price !== undefined && price !== view.deal.priceCents)
    throw dealRefusals.PriceChanged({ current: current() })
  try {
    await store.saveDeal(tx, view.deal.id, {
      ...movedTo(move),
      acceptedAt: now,
      lapsedAt: null,
      activeStep: 6,
      reachedStep: 6,
      ...requestedTrades(view),
    })
  } catch (error) {
    if (violated(error) === 'one_accepted_buyer_per_car') throw dealRefusals.BuyerAlreadyConfirmed()
    throw error
  }
  await record(tx, view.deal.id, move.by, by, {
    event: 'confirmed',
    price: cents(view.deal.priceCents ?? 0),
  })
  await tellConfirmed(deps, tx, view)
}

async function deny(deps: Deps, tx: Db, by: Origin, view: DealView, message: string) {
  if (isHeld(dealFacts(view))) throw dealRefusals.ExclusivityActive()
  const move = requireMove(view, 'SELLER', ['deny', 'release'], () => currentOf(view, deps, by.actorId))
  const isRelease = move.name === 'release'
  await tradeStore.freeTrades(tx, { dealId: view.deal.id })
  await store.saveDeal(tx, view.deal.id, {
    ...movedTo(move),
    sellerMessage: message,
    // Turned down, the offer whose hold had run out is over; the next one begins afresh.
    lapsedAt: null,
    ...store.newDealTerms,
  })
  await record(tx, view.deal.id, move.by, by, { event: isRelease ? 'released' : 'denied', message })
  await (isRelease ? tellReleased : tellDenied)(deps, tx, view, message)
}

async function reprice(
  deps: Deps,
  tx: Db,
  by: Origin,
  open: OpenCar,
  form: Asked<typeof decideCall>['body'],
): Promise<Car> {
  const view = await openDealOf(tx, open.car, by.actorId)
  if (!view) throw open.car.sellerId === by.actorId ? refuse.Forbidden() : refuse.NotFound()
  const { price } = form
  if (price === undefined)
    throw refuse.ValidationError({
      message: fieldTexts.price,
      fields: [{ path: 'price', message: fieldTexts.price }],
    })
  const current = () => currentOf(view, deps, by.actorId)
  refuseStale(form.version, [view.deal.version], current)
  const move = requireMove(view, 'BUYER', ['reprice'], current)
  // A request that stands keeps its trades whatever the draft says; one that was turned down gets back what it had.
  const { status, chosenTradeVins } = view.deal
  const vins = status === 'PENDING' ? view.requestTradeVins : chosenTradeVins
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
  await tellRequested(tx, view, price)
  await touchCar(tx, open.car)
  return carOfBuyer(await viewOf(tx, view.deal.id))
}

/** The same request sent once more, unsigned: nothing is new, and nobody needs to be told. */
function isSameRequest(
  { deal, requestTradeVins, buyerSignature }: DealView,
  price: Cents,
  vins: readonly string[],
): boolean {
  const sameTrades = [...requestTradeVins].sort().join() === [...new Set(vins)].sort().join()
  return deal.status === 'PENDING' && !buyerSignature && deal.priceCents === price && sameTrades
}

/** Only the buyer's own place is moved: to where their request left them. */
async function stayRequested(tx: Db, car: CarRow, view: DealView): Promise<Car> {
  if (view.deal.activeStep === 6) return carOfBuyer(view)
  await store.saveDeal(tx, view.deal.id, { activeStep: 6, ...requestedTrades(view) })
  await touchCar(tx, car)
  return carOfBuyer(await viewOf(tx, view.deal.id))
}

type RequestTrades = { before: EventTrade[]; after: EventTrade[] }

/** Puts exactly these of the buyer's trades into the request; each serves one open deal only (R-trades-13). */
async function attachTrades(
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
  for (const trade of trades) {
    try {
      await tradeStore.attachTrade(tx, { dealId, tradeId: trade.id })
    } catch (error) {
      if (violated(error) === 'deal_trades_pkey') throw dealRefusals.TradeUnavailable()
      throw error
    }
  }
  return { before, after: await tradeStore.findTradesOfDeal(tx, { dealId }) }
}

/** What a request that was sent says anew: that it stands, another price, other trades. */
async function recordRequest(
  tx: Db,
  party: DealParty,
  by: Origin,
  view: DealView,
  price: Cents,
  trades: RequestTrades,
) {
  const { id, status, priceCents } = view.deal
  const isAsked = status !== 'PENDING' && (priceCents === null || priceCents === price)
  const newTrades = status === 'PENDING' && idsOf(trades.before) !== idsOf(trades.after)
  if (isAsked) await record(tx, id, party, by, { event: 'requested', price })
  // Sent again after it was signed: the signature is void, and the timeline says by what.
  else if (priceCents !== price || !newTrades)
    await record(tx, id, party, by, {
      event: 'repriced',
      from: priceCents === null ? null : cents(priceCents),
      to: price,
    })
  if (newTrades)
    await record(tx, id, party, by, { event: 'tradesChanged', from: trades.before, to: trades.after })
}

async function isAcceptedElsewhere(tx: Db, carId: string, buyerId: string): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId })
  return all.some((deal) => deal.buyerId !== buyerId && isTaken(deal.status))
}

const idsOf = (trades: readonly EventTrade[]): string => trades.map(({ _id }) => _id).join()
