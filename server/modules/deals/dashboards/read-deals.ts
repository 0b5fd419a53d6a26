import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import type { Car, PublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { possibleDealMoves } from '@keyturn/contract/deals/rules.ts'
import type {
  DashboardCar,
  Progress,
  Request,
  SoldCar,
  TimelineEntry,
} from '@keyturn/contract/deals/shapes.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { type Cursor, cutPage, decodeCursor, type Page } from '../../../platform/database/pagination.ts'
import type { Caller, ScopedActor } from '../../../platform/http/authorization.ts'
import { markPeopleShown } from '../../accounts/administrator/admin-events.ts'
import { findPerson } from '../../accounts/people/find-person.ts'
import { toSellerCar } from '../../cars/mappers.ts'
import { readPublicCar } from '../../cars/read-public-car.ts'
import * as carStore from '../../cars/repository.ts'
import { findListing, findLiveListing } from '../../cars/repository.ts'
import * as sellerCarStore from '../../cars/seller-car-repository.ts'
import { listTradesByIds } from '../../trades/read-trades.ts'
import * as views from '../deal-view-repository.ts'
import {
  money,
  toBuyerCar,
  toBuyerDashboardCar,
  toDealFacts,
  toFinancing,
  toPerson,
  toProgress,
  toSellerDashboardCar,
  toSoldCar,
  toTimelineEntry,
} from '../mappers.ts'
import { lapseEndedHolds } from '../purchase/hold.ts'
import * as store from '../repository.ts'
import * as tradeStore from '../trade-repository.ts'
import * as carViews from './seller-dashboard-repository.ts'
import { findSoldCars } from './sold-cars-repository.ts'
import { findUnseenOnCar } from './unseen-messages.ts'

export async function listCarsOfUser(
  deps: Deps,
  actor: ScopedActor,
  userId: string,
): Promise<DashboardCar[]> {
  if (userId !== actor.id) throw apiErrors.NotFound()
  await lapseHoldsOfPerson(deps, actor.id)
  const [selling, buying] = await Promise.all([
    carViews.findCarsOfSeller(deps.db, { sellerId: actor.id }),
    views.findDealsOfBuyer(deps.db, { buyerId: actor.id }),
  ])
  const { dealer } = deps.config
  return [
    ...selling.map((row) => toSellerDashboardCar(row, dealer)),
    ...buying.map((row) => toBuyerDashboardCar(row, dealer)),
  ]
}

/** Reads a shared car: all of it for a party, otherwise the content of the public page. */
export async function readSharedCar(
  deps: Deps,
  caller: Caller,
  sellerId: string,
  vin: string,
): Promise<{ car: Car | PublicCar }> {
  const own = caller.user && (await readCarOfParty(deps, caller.user, sellerId, vin))
  if (own) return { car: own }
  const { car } = await readPublicCar(deps.db, sellerId, vin)
  return { car }
}

/** Reads the car for its seller or for a buyer with a deal; null for everybody else. */
export async function readCarOfParty(
  deps: Deps,
  { id }: ScopedActor,
  sellerId: string,
  vin: string,
): Promise<Car | null> {
  if (id === sellerId) {
    const [listing] = await findListing(deps.db, { sellerId, vin })
    const [row] = listing ? await sellerCarStore.findSellerCar(deps.db, { id: listing.id }) : []
    return row ? toSellerCar(row) : null
  }
  const [view] = await views.findDealOfBuyer(deps.db, { sellerId, vin, buyerId: id })
  return view ? toBuyerCar(view) : null
}

/** Reads a car that this person requested and that was sold to another buyer (R-deals-55). */
export async function readCarSoldElsewhere(
  deps: Deps,
  user: ScopedActor,
  sellerId: string,
  vin: string,
): Promise<Car | null> {
  const lost = await findEndedDeal(deps, { user, administrator: null }, { sellerId, vin })
  return lost && toBuyerCar(lost)
}

/** Reads the live listing of a VIN for its parties only (R-deals-90). */
export async function readCarByVin(deps: Deps, actor: ScopedActor, vin: string): Promise<{ car: Car }> {
  const [listing] = await findLiveListing(deps.db, { vin })
  const own = listing && (await readCarOfParty(deps, actor, listing.sellerId, vin))
  // The buyer of an earlier sale by the same seller is not a party to this listing.
  if (own?._id !== listing?.id || !own) throw apiErrors.NotFound()
  return { car: own }
}

export async function listRequests(deps: Deps, actor: ScopedActor, carId: string): Promise<Request[]> {
  const [car] = await sellerCarStore.findSellerCar(deps.db, { id: carId })
  if (car?.car.sellerId !== actor.id || car.car.deletedAt) throw apiErrors.NotFound()
  await lapseHoldsOfPerson(deps, actor.id)
  const [rows, signed, held, unseen] = await Promise.all([
    views.findRequests(deps.db, { carId }),
    views.findDealsSignedByBuyer(deps.db, { carId }),
    tradeStore.findTradesOnCar(deps.db, { carId }),
    findUnseenOnCar(deps.db, { carId, personId: actor.id }),
  ])
  const inRequests = await listTradesByIds(
    deps.db,
    held.map(({ tradeId }) => tradeId),
  )
  return rows.map((view) => {
    const own = new Set(held.filter(({ dealId }) => dealId === view.deal.id).map(({ tradeId }) => tradeId))
    return {
      _id: view.deal.id,
      buyer: toPerson(view.buyer),
      price: cents(view.deal.priceCents ?? 0),
      proposedPrice: money(view.proposal),
      // The message is for wholesalers (R-trades-38).
      trades: inRequests.filter(({ _id }) => own.has(_id)).map((trade) => ({ ...trade, message: '' })),
      needsFinancing: view.deal.needsFinancing,
      financing: toFinancing(view.deal),
      status: view.deal.status === 'STARTED' ? 'PENDING' : view.deal.status,
      message: view.deal.sellerMessage,
      createdAt: (view.deal.requestedAt ?? view.deal.createdAt).toISOString(),
      version: view.deal.version,
      buyerSigned: view.buyerSignature !== null,
      buyerSignatureVoided:
        view.buyerSignature === null && signed.some(({ dealId }) => dealId === view.deal.id),
      exclusivityExpired: toDealFacts(view).hasLapsed,
      isPaused: view.isPaused,
      newMessages: unseen.find(({ dealId }) => dealId === view.deal.id)?.count ?? 0,
    }
  })
}

type DealKey = { sellerId: string; vin: string; buyerId?: string | undefined }

/** Finds the deal for a party or the administrator; returns null for everybody else. */
async function findDeal(deps: Deps, { user, administrator }: Caller, { sellerId, vin, buyerId }: DealKey) {
  const isSeller = user?.verified === true && user.id === sellerId
  if (user && !isSeller && !(administrator && buyerId !== user.id)) {
    const [own] = await views.findDealOfBuyer(deps.db, { sellerId, vin, buyerId: user.id })
    if (own || !administrator) return own ?? null
  }
  if (!isSeller && !administrator) return null
  const [found] = buyerId
    ? await views.findDealOfBuyer(deps.db, { sellerId, vin, buyerId })
    : await views.findIntendedDeal(deps.db, { sellerId, vin })
  // A deal without a request is visible only to its buyer.
  return found && found.deal.status !== 'STARTED' ? found : null
}

async function findEndedDeal(deps: Deps, { user }: Caller, { sellerId, vin, buyerId }: DealKey) {
  if (!user?.verified) return null
  if (user.id === sellerId) {
    if (!buyerId) return null
    const [calledOff] = await views.findCalledOffDeal(deps.db, { sellerId, vin, buyerId })
    return calledOff ?? null
  }
  const [lost] = await views.findLostDeal(deps.db, { sellerId, vin, buyerId: user.id })
  return lost ?? null
}

async function findCurrentDeal(deps: Deps, caller: Caller, key: DealKey): Promise<views.DealView> {
  const view = (await findDeal(deps, caller, key)) ?? (await findEndedDeal(deps, caller, key))
  if (!view) throw apiErrors.NotFound()
  if (possibleDealMoves(toDealFacts(view), 'CLOCK').length === 0) return view
  await lapseHoldsOfCar(deps, view.car.id)
  const current = await findDeal(deps, caller, key)
  if (!current) throw apiErrors.NotFound()
  return current
}

export const readProgress = async (deps: Deps, caller: Caller, key: DealKey): Promise<Progress> =>
  toProgress(await findCurrentDeal(deps, caller, key), deps.config, caller.user?.id ?? null)

export async function readTimeline(deps: Deps, caller: Caller, key: DealKey): Promise<TimelineEntry[]> {
  const { deal, car } = await findCurrentDeal(deps, caller, key)
  markPeopleShown(caller.administrator, [car.sellerId, deal.buyerId])
  return (await views.findTimeline(deps.db, { dealId: deal.id })).map(toTimelineEntry)
}

export async function readPackageId(deps: Deps, caller: Caller, key: DealKey): Promise<{ pkgId: string }> {
  const { deal } = await findCurrentDeal(deps, caller, key)
  if (!deal.packageId) throw apiErrors.NotFound()
  return { pkgId: deal.packageId }
}

export async function listSoldCars(db: Db, page: Page): Promise<{ cars: SoldCar[]; next: Cursor | null }> {
  const rows = await findSoldCars(db, page.limit + 1, decodeCursor(page.cursor))
  const { shown, next } = cutPage(rows, page.limit, ({ at, id }) => ({ at, id }))
  return { cars: shown.map(toSoldCar), next }
}

/** Reads a person's address for that person, the other party of a deal, or the administrator. */
export async function readPerson(deps: Deps, { user, administrator }: Caller, id: string): Promise<Person> {
  const mayRead =
    administrator !== null ||
    user?.id === id ||
    (user !== null && (await views.findSharedDeal(deps.db, { one: user.id, other: id })).length > 0)
  const person = mayRead ? await findPerson(deps.db, id) : null
  if (!person) throw apiErrors.NotFound()
  return person
}

async function lapseHoldsOfPerson(deps: Deps, personId: string): Promise<void> {
  for (const { carId } of await store.findCarsWithEndedHoldOf(deps.db, { personId }))
    await lapseHoldsOfCar(deps, carId)
}

async function lapseHoldsOfCar(deps: Deps, carId: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const [found] = await carStore.lockCar(tx, { id: carId })
    if (found) await lapseEndedHolds(deps, tx, found.car)
  })
}
