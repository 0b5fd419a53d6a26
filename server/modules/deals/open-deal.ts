import type { DealEvent } from '@keyturn/contract/deals/events.ts'
import {
  type DealMove,
  type DealMoveName,
  type DealParty,
  findMove,
  intendedOf,
} from '@keyturn/contract/deals/rules.ts'
import { type Progress, progress } from '@keyturn/contract/deals/shapes.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { now } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import * as evidenceStore from '../agreements/evidence-repository.ts'
import type { CarRow } from '../cars/tables.ts'
import { dealFacts, progressOf } from './mappers.ts'
import { notifyHoldEnded, publishCarChange } from './notify.ts'
import * as store from './repository.ts'
import { type DealView, findDealById } from './views.ts'

/** The actor and session of a change, stored in the timeline and the evidence. */
export type Origin = {
  actorId: string
  sessionId: string
  requestId: string
  ip: string
  userAgent: string | null
  /** Adds the deal's id to the request log. */
  concerns?: (dealId: string) => void
}

export const originOf = (actor: UserActor, request: FastifyRequest): Origin => ({
  actorId: actor.id,
  sessionId: actor.sessionId,
  requestId: request.id,
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  concerns: (dealId) => {
    request.dealId = dealId
  },
})

export type OpenCar = { car: CarRow; now: Date }

/** Locks a seller's listing and settles an ended hold. Throws `NotFound`. */
export async function openListing(deps: Deps, tx: Db, sellerId: string, vin: string): Promise<OpenCar> {
  const [found] = await store.lockListing(tx, { sellerId, vin })
  if (!found) throw apiErrors.NotFound()
  await settleHolds(deps, tx, found.car)
  return found
}

export async function openCar(deps: Deps, tx: Db, carId: string): Promise<OpenCar> {
  const [found] = await store.lockCar(tx, { id: carId })
  if (!found) throw apiErrors.NotFound()
  await settleHolds(deps, tx, found.car)
  return found
}

/**
 * Locks a buyer's deal on a locked car and reads what the rules need; null when there is none. `by`
 * identifies the request in the log.
 */
export async function openDealOf(
  tx: Db,
  car: CarRow,
  buyerId: string,
  by?: Origin,
): Promise<DealView | null> {
  const [row] = await store.lockDealOf(tx, { carId: car.id, buyerId })
  if (row) by?.concerns?.(row.id)
  return row ? readDealView(tx, row.id) : null
}

export async function openIntendedDeal(tx: Db, car: CarRow, by: Origin): Promise<DealView | null> {
  const intended = intendedOf(await store.findDealsOfCar(tx, { carId: car.id }))
  return intended ? openDealOf(tx, car, intended.buyerId, by) : null
}

export async function readDealView(db: Db, dealId: string): Promise<DealView> {
  const [view] = await findDealById(db, { id: dealId })
  if (!view) throw apiErrors.NotFound()
  return view
}

/**
 * Lapses holds that ended without the buyer's signature, once, and notifies both parties
 * (R-deals-37).
 */
export async function settleHolds(deps: Deps, tx: Db, car: CarRow): Promise<void> {
  for (const { id } of await store.lockEndedHolds(tx, { carId: car.id })) {
    const view = await readDealView(tx, id)
    const move = findMove(dealFacts(view), 'CLOCK', 'lapse')
    if (!move) continue
    await store.saveDeal(tx, id, {
      ...movedTo(move),
      exclusiveUntil: null,
      lapsedAt: now,
      ...store.newDealTerms,
    })
    await evidenceStore.recordEvent(tx, {
      dealId: id,
      actor: move.by,
      actorId: null,
      event: { event: 'lapsed' },
    })
    await notifyHoldEnded(deps, tx, view)
    await publishCarChange(tx, car)
  }
}

/**
 * Throws 409 with the current state unless `given` is one of the current versions the caller may
 * have read.
 */
export function requireFreshVersion(
  given: number | undefined,
  present: readonly number[],
  current: () => unknown,
): void {
  if (given !== undefined && !present.includes(given)) throw apiErrors.StaleVersion({ current: current() })
}

/** Encodes a deal for the `current` field of an error. */
export const currentOf = (view: DealView, { config }: Deps, readerId: string | null) =>
  progress.encode(progressOf(view, config.dealer, readerId))

/** Returns the first of these moves that is open to a party. Throws `InvalidTransition`. */
export function requireMove(
  view: DealView,
  party: DealParty,
  names: readonly DealMoveName[],
  current: () => unknown,
): DealMove {
  // A sold car has no moves left, whatever the state of its requests.
  const move = view.car.completedAt ? null : findMove(dealFacts(view), party, ...names)
  if (!move) throw dealErrors.InvalidTransition({ current: current() })
  return move
}

/** The columns a move changes. A withdrawal leaves the status as it was. */
export const movedTo = ({ to }: DealMove) => (to === 'WITHDRAWN' ? { withdrawnAt: now } : { status: to })

export const recordDealEvent = (
  tx: Db,
  dealId: string,
  actor: DealParty,
  by: Origin,
  event: DealEvent,
): Promise<void> =>
  evidenceStore.recordEvent(tx, {
    dealId,
    actor,
    actorId: by.actorId,
    event,
    sessionId: by.sessionId,
    requestId: by.requestId,
    ip: by.ip,
  })

/** Reads the deal for the response to the request that changed it. */
export const progressNow = async (tx: Db, dealId: string, deps: Deps, by: Origin): Promise<Progress> =>
  progressOf(await readDealView(tx, dealId), deps.config.dealer, by.actorId)
