import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Photo, photoBounds } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { arePhotosOpen } from '@keyturn/contract/trades/rules.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import type { Upload } from '../../platform/http/body.ts'
import { inOrder, withChanged } from '../../platform/storage/photo-list.ts'
import { releasePictures } from '../../platform/storage/picture-rows.ts'
import { type KeptPhoto, takePicture } from '../../platform/storage/pictures.ts'
import { currentOf, tradeOf } from './mappers.ts'
import { publishTradeChange } from './notify.ts'
import * as store from './repository.ts'
import type { TradeRow } from './tables.ts'

// Only the owner changes the photos of a trade; an accepted offer freezes them (R-trades-33).

export type AddedPhoto = { photo: Photo; trade: Trade; isNew: boolean }

/**
 * Checks the owner and the number of photos before reading the body, and again with the row locked.
 */
export async function addPhoto(
  deps: Deps,
  actor: UserActor,
  tradeId: string,
  upload: Upload,
): Promise<AddedPhoto> {
  const which = { id: tradeId, ownerId: actor.id }
  const find = async () => {
    const [found] = await store.findTrade(deps.db, which)
    return openTrade(found?.trade)
  }
  await find()
  return takePicture(deps, {
    caller: actor.id,
    upload,
    find: async (source) => alreadyThere(await find(), (photo) => photo.source === source),
    keep: async (tx, photo) => {
      const [held] = await store.lockTrade(tx, which)
      const trade = openTrade(held?.trade)
      const known = alreadyThere(trade, ({ id }) => id === photo.id)
      return known ?? { photo, trade: await savePhotos(tx, trade, [...trade.photos, photo]), isNew: true }
    },
  })
}

/** Returns null when another photo may be added. */
function alreadyThere(trade: TradeRow, isSame: (photo: KeptPhoto) => boolean): AddedPhoto | null {
  const known = trade.photos.find(isSame)
  if (known) return { photo: known, trade: tradeOf(trade), isNew: false }
  if (trade.photos.length >= photoBounds.maxPhotos) throw photoErrors.TooManyPhotos()
  return null
}

export const orderPhotos = (deps: Deps, actor: UserActor, tradeId: string, ids: readonly string[]) =>
  changePhotos(deps, actor, tradeId, (_, trade) => {
    const ordered = inOrder(trade.photos, ids)
    if (!ordered) throw apiErrors.StaleVersion({ current: currentOf(tradeOf(trade)) })
    return ordered
  })

type Which = { tradeId: string; photoId: string }

export const captionPhoto = (deps: Deps, actor: UserActor, { tradeId, photoId }: Which, caption: string) =>
  changePhotos(deps, actor, tradeId, (_, trade) =>
    withChanged(trade.photos, photoId, (photo) => [{ ...photo, caption }]),
  )

export const deletePhoto = (deps: Deps, actor: UserActor, { tradeId, photoId }: Which): Promise<Trade> =>
  changePhotos(deps, actor, tradeId, async (tx, trade) => {
    const left = withChanged(trade.photos, photoId, () => [])
    if (left) await releasePictures(tx, [{ id: photoId }])
    return left
  })

type Change = (tx: Db, trade: TradeRow) => KeptPhoto[] | null | Promise<KeptPhoto[] | null>

const changePhotos = (deps: Deps, actor: UserActor, tradeId: string, change: Change): Promise<Trade> =>
  transaction(deps, async (tx) => {
    const [held] = await store.lockTrade(tx, { id: tradeId, ownerId: actor.id })
    const trade = openTrade(held?.trade)
    const changed = await change(tx, trade)
    if (!changed) throw apiErrors.NotFound()
    return savePhotos(tx, trade, changed)
  })

async function savePhotos(tx: Db, trade: TradeRow, photos: KeptPhoto[]): Promise<Trade> {
  const [row] = await store.savePhotos(tx, { id: trade.id, photos: JSON.stringify(photos) })
  if (!row) throw apiErrors.NotFound()
  await publishTradeChange(tx, [trade.ownerId])
  return tradeOf(row)
}

function openTrade(trade: TradeRow | undefined): TradeRow {
  if (!trade) throw apiErrors.NotFound()
  if (!arePhotosOpen(trade.status)) throw tradeErrors.PhotosFixed()
  return trade
}
