import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { Caller, UserActor } from '../../platform/http/authorization.ts'
import { releasePictures } from '../../platform/storage/picture-repository.ts'
import { deleteLooksAt } from './contact-looks.ts'
import { expireOffers } from './expire-offers.ts'
import { encodeTrade, toTrade } from './mappers.ts'
import { toTradeActor } from './move-rules.ts'
import { notifyDeleted, publishTradeChange } from './notify.ts'
import * as store from './repository.ts'
import { recordTradeEvent } from './trade-events.ts'

/**
 * Frees a trade from a deal that can release it, or throws; injected by `app.ts`, since deals
 * depend on trades. Called before the trade's row is locked: the order is always car, deal, trade.
 */
export type ReleaseTrade = (tx: Db, tradeId: string, actor: UserActor) => Promise<void>

const attachedMeanwhile = Symbol('attached meanwhile')

/** Deletes the owner's trade by its VIN; the row stays, marked as deleted (R-trades-15). */
export async function deleteTrade(
  deps: Deps,
  actor: UserActor,
  { vin, version }: { vin: string; version: number | undefined },
  beforeDelete: ReleaseTrade,
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
        throw apiErrors.StaleVersion({ current: encodeTrade(toTrade(locked)) })
      // A request may have attached the trade in between; then the deletion is rolled back and
      // retried.
      const [{ attached } = { attached: 0 }] = await store.countAttachedTrades(tx, { ids: [own.id] })
      if (attached > 0) throw attachedMeanwhile
      const [row] = await store.markTradeDeleted(tx, { id: own.id })
      if (!row) throw apiErrors.NotFound()
      await releasePictures(tx, locked.trade.photos)
      await recordTradeEvent(tx, row, 'delete', toTradeActor('OWNER', caller, requestId))
      await notifyDeleted(deps, tx, row)
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

/** Deletes a person's trades with their account; all deals but completed ones have released them. */
export async function withdrawTrades(deps: Deps, tx: Db, ownerId: string): Promise<void> {
  for (const { photos } of await store.findPhotosOfOwner(tx, { ownerId })) await releasePictures(tx, photos)
  const rows = await store.markTradesDeleted(tx, { ownerId })
  for (const row of rows) {
    await recordTradeEvent(tx, row, 'delete', {
      actor: 'OWNER',
      id: ownerId,
      sessionId: null,
      requestId: null,
    })
    const [{ attached } = { attached: 0 }] = await store.countAttachedTrades(tx, { ids: [row.id] })
    if (attached === 0) await notifyDeleted(deps, tx, row)
  }
  await store.eraseTradeTexts(tx, { ownerId })
  await deleteLooksAt(tx, ownerId)
  if (rows.length > 0) await publishTradeChange(tx, [ownerId])
}
