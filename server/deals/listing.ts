import { type Car, car as wireCar } from '@keyturn/contract/cars/calls.ts'
import { termFields } from '@keyturn/contract/cars/rules.ts'
import type {
  deleteCar as deleteCall,
  editCar as editCall,
  updatePrice as priceCall,
} from '@keyturn/contract/deals/calls.ts'
import { findMove, isTaken } from '@keyturn/contract/deals/rules.ts'
import { dealRefusals } from '@keyturn/contract/deals/texts.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import { type Cents, cents } from '@keyturn/contract/kit/money.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { requireFittingYear, wholeCar } from '../cars/actions.ts'
import type { CarRow } from '../cars/tables.ts'
import { now } from '../db/columns.ts'
import { type Db, transaction } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { changeSignal } from '../notifications/actions.ts'
import * as evidenceStore from './agreement/evidence-store.ts'
import {
  currentOf,
  movedTo,
  type Origin,
  openCar,
  openDealOf,
  openListing,
  record,
  refuseStale,
  settleHolds,
} from './open-deal.ts'
import * as store from './store.ts'
import { tellListingRemoved, tellRepriced, tellTermsChanged, tellWithdrawn, touchCar } from './tell.ts'
import * as tradeStore from './trade-store.ts'
import { findSellerCar } from './views.ts'
import { carOfSeller, dealFacts } from './wire.ts'

/** The seller's own listing by its id; a stranger's and none are the same 404. */
async function lockOwnCar(tx: Db, by: Origin, carId: string): Promise<CarRow> {
  const [open] = await store.lockCar(tx, { id: carId })
  if (open?.car.sellerId !== by.actorId) throw refuse.NotFound()
  return open.car
}

/**
 * Sets the asking price and that of every pending request; all signatures on the car are void
 * (R-deals-25). A price that is the same everywhere already changes nothing.
 */
export async function updatePrice(
  deps: Deps,
  by: Origin,
  carId: string,
  { newPrice: price, sellerId, version }: Asked<typeof priceCall>['body'],
): Promise<Car> {
  if (sellerId && sellerId !== by.actorId) throw refuse.NotFound()
  const wish = { carId, priceCents: price, signal: changeSignal([by.actorId], 'cars', 'deals') }
  const ofUnwanted = { ...wish, sellerId: by.actorId, version: version ?? null }
  const setOfUnwanted = async (db: Db) => {
    const [unwanted] = await store.setPriceOfUnwanted(db, ofUnwanted)
    return unwanted ? wholeCar(unwanted) : null
  }
  const setWithRequests = (tx: Db) => priceWithRequests(deps, tx, by, wish, version)
  // Where an answer has to be kept with it, one statement is not enough.
  if (deps.intent) return transaction(deps, async (tx) => (await setOfUnwanted(tx)) ?? setWithRequests(tx))
  return (await setOfUnwanted(deps.db)) ?? transaction(deps, setWithRequests)
}

type PriceWish = { carId: string; priceCents: Cents; signal: string }

/** The slower way, where other rows decide too: locks the car before it reads any of them. */
async function priceWithRequests(
  deps: Deps,
  tx: Db,
  by: Origin,
  wish: PriceWish,
  version: number | undefined,
): Promise<Car> {
  const price = wish.priceCents
  const car = await lockOwnCar(tx, by, wish.carId)
  if (version !== undefined && version !== car.version) await refuseUnseen(tx, car, version)
  if (car.priceCents === price && (await isPriceEverywhere(tx, car, price))) {
    return refuseUnseen(tx, car, version)
  }
  const asRead = { ...wish, seen: version ?? Number.MAX_SAFE_INTEGER }
  let [priced] = await store.setPrice(tx, asRead)
  if (!priced) {
    await settleHolds(deps, tx, car)
    ;[priced] = await store.setPrice(tx, asRead)
  }
  if (!priced) {
    if (!(await hasAcceptedBuyer(tx, car.id))) await refuseUnseen(tx, car, version)
    throw await inProgress(tx, car)
  }
  const [pending, all] = priced.buyers
  if (pending > 0) await repriceRequests(tx, by, car, price)
  if (all > 0) await touchCar(tx, car)
  if (pending === 0) return wholeCar({ ...car, ...priced })
  return sellerCar(tx, car.id)
}

async function isPriceEverywhere(tx: Db, car: CarRow, price: Cents): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId: car.id })
  return all.every(
    (deal) => !isTaken(deal.status) && (deal.status !== 'PENDING' || deal.priceCents === price),
  )
}

async function repriceRequests(tx: Db, by: Origin, car: CarRow, price: Cents): Promise<void> {
  const before = await store.findDealsOfCar(tx, { carId: car.id })
  for (const moved of await store.repricePending(tx, { carId: car.id, priceCents: price })) {
    const was = before.find((deal) => deal.id === moved.id)?.priceCents ?? null
    const from = was === null ? null : cents(was)
    await record(tx, moved.id, 'SELLER', by, { event: 'priceChanged', from, to: price })
    await tellRepriced(tx, car, moved.buyerId, from, price)
  }
}

/** Changes what the seller says of the car; a changed term voids signatures (R-deals-33). */
export async function editCar(deps: Deps, by: Origin, form: Asked<typeof editCall>['body']): Promise<Car> {
  if (form.year !== undefined) requireFittingYear(form.year)
  return transaction(deps, async (tx) => {
    const { car } = await openListing(deps, tx, by.actorId, form.vin)
    const shown = await refuseUnseen(tx, car, form.version)
    if (car.completedAt || (await hasAcceptedBuyer(tx, car.id))) throw await inProgress(tx, car)
    const { vin: _, version: __, carModel, ...said } = form
    const changesTerms = termFields.some((field) => form[field] !== undefined && form[field] !== shown[field])
    await store.saveCar(tx, car.id, {
      ...definedOnly({ ...said, model: carModel }),
      ...(changesTerms ? store.newCarTerms : {}),
    })
    // Everyone who read the old terms holds an old version now: a signature sent with that version is refused.
    if (changesTerms) await store.raiseVersions(tx, { carId: car.id })
    if (changesTerms) await tellOfNewTerms(deps, tx, by, car)
    await touchCar(tx, car)
    return sellerCar(tx, car.id)
  })
}

async function tellOfNewTerms(deps: Deps, tx: Db, by: Origin, car: CarRow): Promise<void> {
  const [changed] = await findSellerCar(tx, { id: car.id })
  const event = { event: 'termsChanged', from: eventCar(car), to: eventCar(changed?.car ?? car) } as const
  for (const deal of await store.findDealsOfCar(tx, { carId: car.id }))
    if (deal.status !== 'STARTED') await record(tx, deal.id, 'SELLER', by, event)
  await tellTermsChanged(deps, tx, car, event)
}

const eventCar = ({ year, make, model, mileage }: CarRow) => ({ year, make, carModel: model, mileage })

/** The seller takes the listing down, or the buyer withdraws; the car stays in the second case (R-deals-20, R-deals-27). */
export async function deleteCar(
  deps: Deps,
  by: Origin,
  asked: Asked<typeof deleteCall>['params'] & { version?: number },
): Promise<void> {
  if (asked.userId !== by.actorId) throw refuse.NotFound()
  if (asked.userType === 'SELLER') await deleteListing(deps, by, asked)
  else await withdraw(deps, by, asked)
}

type Shown = { vin: string; version?: number }

async function deleteListing(deps: Deps, by: Origin, { vin, version }: Shown): Promise<void> {
  await transaction(deps, async (tx) => {
    const { car } = await openListing(deps, tx, by.actorId, vin)
    if (await hasAcceptedBuyer(tx, car.id)) throw await inProgress(tx, car)
    await refuseUnseen(tx, car, version)
    await takeDown(deps, tx, car, { actor: 'SELLER', reason: null })
  })
}

/** A squatter's listing, taken down by the administrator; the reason stays with the row. */
export async function removeListing(deps: Deps, carId: string, reason: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const { car } = await openCar(deps, tx, carId)
    if (await hasAcceptedBuyer(tx, car.id)) throw dealRefusals.DealInProgress()
    await takeDown(deps, tx, car, { actor: 'ADMIN', reason })
  })
  deps.log.warn({ carId, reason }, 'listing removed by the administrator')
}

/** The listing and every open request on it end; trades are free again, and the buyers are told. */
export async function takeDown(
  deps: Deps,
  tx: Db,
  car: CarRow,
  by: { actor: 'SELLER' | 'ADMIN'; reason: string | null },
): Promise<void> {
  await tellListingRemoved(deps, tx, car)
  await touchCar(tx, car)
  await endOpenDeals(tx, car, {
    actor: by.actor,
    actorId: by.actor === 'SELLER' ? car.sellerId : null,
    event: { event: 'listingRemoved', reason: by.reason },
  })
  await store.saveCar(tx, car.id, { deletedAt: now, removedBecause: by.reason })
}

type Ending = Pick<evidenceStore.RecordedEvent, 'actor' | 'actorId' | 'event'>

/** Every deal on the car ends but the one that has it: whoever has to be told, has been told before. */
export async function endOpenDeals(tx: Db, car: CarRow, ending: Ending): Promise<void> {
  for (const deal of await store.findDealsOfCar(tx, { carId: car.id })) {
    if (isTaken(deal.status)) continue
    await tradeStore.freeTrades(tx, { dealId: deal.id })
    await evidenceStore.recordEvent(tx, { dealId: deal.id, ...ending })
  }
  await store.withdrawAll(tx, { carId: car.id })
}

async function withdraw(deps: Deps, by: Origin, { vin, version }: Shown): Promise<void> {
  await transaction(deps, async (tx) => {
    const [own] = await store.findOwnDeal(tx, { buyerId: by.actorId, vin })
    if (!own) throw refuse.NotFound()
    const { car } = await openCar(deps, tx, own.carId)
    const view = await openDealOf(tx, car, by.actorId)
    if (!view) throw refuse.NotFound()
    const move = findMove(dealFacts(view), 'BUYER', 'withdraw')
    if (!move) throw dealRefusals.DealInProgress()
    const current = () => currentOf(view, deps, by.actorId)
    refuseStale(version, [view.deal.version, Math.max(car.version, view.deal.version)], current)
    // While the deal still stands: its buyer's other windows are to hear of it, too.
    await touchCar(tx, car)
    await tradeStore.freeTrades(tx, { dealId: view.deal.id })
    await store.saveDeal(tx, view.deal.id, { ...movedTo(move), ...store.newDealTerms })
    await record(tx, view.deal.id, move.by, by, { event: 'withdrawn' })
    if (view.deal.status !== 'STARTED') await tellWithdrawn(deps, tx, view)
  })
}

async function hasAcceptedBuyer(tx: Db, carId: string): Promise<boolean> {
  const all = await store.findDealsOfCar(tx, { carId })
  return all.some((deal) => isTaken(deal.status))
}

/** Why a seller cannot change a car now: their own hold runs, or a sale is in progress. */
async function inProgress(tx: Db, car: CarRow) {
  const accepted = (await store.findDealsOfCar(tx, { carId: car.id })).find((deal) => isTaken(deal.status))
  return accepted?.exclusiveUntil && !accepted.passedAt
    ? dealRefusals.ExclusivityActive()
    : dealRefusals.DealInProgress()
}

/** A seller acts on a listing as they have read it, with every request on it. */
async function refuseUnseen(tx: Db, car: CarRow, version: number | undefined): Promise<Car> {
  const shown = await sellerCar(tx, car.id)
  refuseStale(version, [shown.version], () => wireCar.encode(shown))
  return shown
}

async function sellerCar(db: Db, carId: string): Promise<Car> {
  const [row] = await findSellerCar(db, { id: carId })
  if (!row) throw refuse.NotFound()
  return carOfSeller(row)
}

const definedOnly = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
