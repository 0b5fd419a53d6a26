import { hourMs } from '@keyturn/contract/shared/dates.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { addTrade as addTradeCall, Trade, TradeWish } from '@keyturn/contract/trades/endpoints.ts'
import { namesPrice } from '@keyturn/contract/trades/rules.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../deps.ts'
import { openTaxRates } from '../../integrations/sales-tax/tax-rates.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Db, transaction, violatedConstraint } from '../../platform/database/open-database.ts'
import type { Caller, UserActor } from '../../platform/http/authorization.ts'
import { consumeLimit } from '../../platform/rate-limits/throttles.ts'
import { releasePictures } from '../../platform/storage/picture-repository.ts'
import { requirePerson } from '../accounts/actions.ts'
import { requireFittingYear } from '../cars/require-fitting-year.ts'
import { enqueueEndNotifications, expireOffers, scheduleOfferJobs } from './expire-offers.ts'
import { encodeTrade, tradeFor, tradeOf } from './mappers.ts'
import { decideMove, partiesOf, priceAfter, tradeActorOf, visibleOwnerId } from './move-rules.ts'
import { notifyMoved, notifySubmitted, publishTradeChange } from './notify.ts'
import * as store from './repository.ts'
import { recordTradeEvent } from './trade-events.ts'

// What other modules may import from this one.
export { expireOffers, tradeJobs } from './expire-offers.ts'
export { availableTrades, listTradesByIds } from './queries.ts'
export { tradePictures } from './repository.ts'
export { lockTradesForRequest } from './trade-locks.ts'

/** Every added trade notifies all wholesalers. */
const addLimit = { name: 'add-trade', max: 20, withinMs: hourMs }

/**
 * Adds a trade of the caller. Throws `TradeAlreadyAdded`: a person can trade in a VIN only once.
 */
export async function addTrade(
  deps: Deps,
  actor: UserActor,
  form: EndpointInput<typeof addTradeCall>['body'],
  requestId: string | null = null,
): Promise<Trade> {
  const { buyerId, carModel, ...facts } = form
  if (buyerId && buyerId !== actor.id) throw apiErrors.NotFound()
  requireFittingYear(form.year)
  await consumeLimit(deps, addLimit, actor.id)
  try {
    return await transaction(deps, async (tx) => {
      await requirePerson(tx, actor.id)
      const row = await store.insertTrade(tx, {
        ...facts,
        id: newId(),
        ownerId: actor.id,
        model: carModel,
      })
      await recordTradeEvent(
        tx,
        row,
        'submit',
        tradeActorOf('OWNER', { user: actor, administrator: null }, requestId),
      )
      await notifySubmitted(deps, tx, row)
      return tradeOf(row)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'one_trade_per_owner_and_vin') throw tradeErrors.TradeAlreadyAdded()
    throw error
  }
}

/** Makes a move of the caller. Throws 404 for a trade out of reach, 409 for a wrong state. */
export async function moveTrade(
  deps: Deps,
  caller: Caller,
  id: string,
  wish: TradeWish,
  requestId: string | null = null,
): Promise<Trade> {
  await expireOffers(deps.db)
  const which = { id, ownerId: visibleOwnerId(caller) }
  const [seen] = await store.findTrade(deps.db, which)
  if (!seen || (wish.vin !== undefined && wish.vin !== seen.trade.vin)) throw apiErrors.NotFound()
  const parties = partiesOf(caller, seen.trade.ownerId)
  // External services are called first, never while holding a lock.
  const rate = namesPrice(wish.status)
    ? (await openTaxRates(deps.config).rateOf(seen.trade.zipCode)).rate
    : null

  return transaction(deps, async (tx) => {
    // The offering wholesaler must not be leaving: deleting an account withdraws only the offers it
    // finds.
    if (caller.user?.wholesaler && wish.status === 'OFFERED') await requirePerson(tx, caller.user.id)
    const [locked] = await store.lockTrade(tx, which)
    if (!locked) throw apiErrors.NotFound()
    const found = { trade: locked.trade, buyer: seen.buyer }
    const move = decideMove(locked, wish, parties, () => encodeTrade(tradeFor(caller, found)))
    const [row] = await store.saveMove(tx, {
      id,
      ...priceAfter(locked.trade, move, wish, rate),
      offeredBy:
        move.name === 'offer'
          ? (caller.user?.id ?? null)
          : move.price === 'cleared'
            ? null
            : locked.trade.offeredBy,
    })
    if (!row) throw apiErrors.NotFound()
    await recordTradeEvent(tx, row, move.name, tradeActorOf(move.by, caller, requestId))
    await scheduleOfferJobs(tx, row)
    await notifyMoved(deps, tx, move.name, row)
    return tradeFor(caller, { trade: row, buyer: seen.buyer })
  })
}

/**
 * Frees a trade from a deal that can release it, or throws; injected by `app.ts`, since deals
 * depend on trades. Called before the trade's row is locked: the order is always car, deal, trade.
 */
export type BeforeDelete = (tx: Db, tradeId: string, actor: UserActor) => Promise<void>

/** Deletes the owner's trade by its VIN; the row stays, marked as deleted (R-trades-15). */
export async function deleteTrade(
  deps: Deps,
  actor: UserActor,
  { vin, version }: { vin: string; version: number | undefined },
  beforeDelete: BeforeDelete,
  requestId: string | null = null,
): Promise<void> {
  await expireOffers(deps.db)
  const caller: Caller = { user: actor, administrator: null }
  const once = () =>
    transaction(deps, async (tx) => {
      const [own] = await store.findTradeOfOwner(tx, { ownerId: actor.id, vin })
      if (!own) throw apiErrors.NotFound()
      await beforeDelete(tx, own.id, actor)
      const [locked] = await store.lockTrade(tx, { id: own.id, ownerId: actor.id })
      if (!locked) throw apiErrors.NotFound()
      if (version !== undefined && version !== locked.trade.version)
        throw apiErrors.StaleVersion({ current: encodeTrade(tradeOf(locked.trade)) })
      // A request may have attached the trade in between; then the deletion is rolled back and
      // retried.
      const [{ attached } = { attached: 0 }] = await store.countAttached(tx, { ids: [own.id] })
      if (attached > 0) throw attachedMeanwhile
      const [row] = await store.markDeleted(tx, { id: own.id })
      if (!row) throw apiErrors.NotFound()
      await releasePictures(tx, locked.trade.photos)
      await recordTradeEvent(tx, row, 'delete', tradeActorOf('OWNER', caller, requestId))
      await publishTradeChange(tx, [actor.id])
    })
  for (let round = 0; round < 3; round++) {
    try {
      return await once()
    } catch (error) {
      if (error !== attachedMeanwhile) throw error
    }
  }
  throw apiErrors.StaleVersion()
}

const attachedMeanwhile = Symbol('attached meanwhile')

/** Deletes a person's trades with their account; deals have released them before. */
export async function withdrawTrades(tx: Db, ownerId: string): Promise<void> {
  for (const { photos } of await store.findPhotosOf(tx, { ownerId })) await releasePictures(tx, photos)
  const rows = await store.markAllDeleted(tx, { ownerId })
  for (const row of rows)
    await recordTradeEvent(tx, row, 'delete', {
      party: 'OWNER',
      id: ownerId,
      sessionId: null,
      requestId: null,
    })
  await store.eraseMessages(tx, { ownerId })
  if (rows.length > 0) await publishTradeChange(tx, [ownerId])
}

/** Withdraws a leaving wholesaler's offers as if expired, so that others can make offers. */
export async function withdrawOffers(tx: Db, { id, sessionId }: UserActor): Promise<void> {
  const rows = await store.markOffersWithdrawn(tx, { wholesalerId: id })
  for (const row of rows)
    await recordTradeEvent(tx, row, 'expire', { party: 'WHOLESALER', id, sessionId, requestId: null })
  if (rows.length === 0) return
  await publishTradeChange(
    tx,
    rows.map((row) => row.ownerId),
  )
  await enqueueEndNotifications(tx)
}
