import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Photo, photoBounds } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { isAgreedTrade } from '@keyturn/contract/trades/rules.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import type { Upload } from '../../platform/http/request-body.ts'
import { changePhoto, insertPhoto, sortByIds } from '../../platform/storage/photo-list.ts'
import { releasePictures } from '../../platform/storage/picture-repository.ts'
import { type StoredPhoto, storeUpload } from '../../platform/storage/pictures.ts'
import { encodeTrade, toTrade } from './mappers.ts'
import { publishTradeChange } from './notify.ts'
import * as store from './repository.ts'
import type { TradeRow } from './tables.ts'

// Only the owner changes the photos of a trade; an accepted offer freezes them (R-trades-33).

export type AddedTradePhoto = { photo: Photo; trade: Trade; isNew: boolean }

/** Checks the owner and the number of photos before the body, and again with the row locked. */
export async function addTradePhoto(
  deps: Deps,
  actor: UserActor,
  { tradeId, place }: { tradeId: string; place?: string | undefined },
  upload: Upload,
): Promise<AddedTradePhoto> {
  const which = { id: tradeId, ownerId: actor.id }
  const findTrade = async () => {
    const [found] = await store.findTrade(deps.db, which)
    return requireOpenPhotos(found?.trade)
  }
  await findTrade()
  return storeUpload(deps, {
    caller: actor.id,
    upload,
    findEarlier: async (source) => findExistingPhoto(await findTrade(), (photo) => photo.source === source),
    addReference: async (tx, photo) => {
      const [locked] = await store.lockTrade(tx, which)
      const trade = requireOpenPhotos(locked?.trade)
      const known = findExistingPhoto(trade, ({ id }) => id === photo.id)
      return (
        known ?? {
          photo,
          trade: await savePhotos(tx, trade, insertPhoto(trade.photos, photo, place)),
          isNew: true,
        }
      )
    },
  })
}

/** Returns null when another photo may be added. */
function findExistingPhoto(trade: TradeRow, isSame: (photo: StoredPhoto) => boolean): AddedTradePhoto | null {
  const known = trade.photos.find(isSame)
  if (known) return { photo: known, trade: toTrade(trade), isNew: false }
  if (trade.photos.length >= photoBounds.maxPhotos) throw photoErrors.TooManyPhotos()
  return null
}

export const orderTradePhotos = (deps: Deps, actor: UserActor, tradeId: string, ids: readonly string[]) =>
  changePhotos(deps, actor, tradeId, (_, trade) => {
    const ordered = sortByIds(trade.photos, ids)
    if (!ordered) throw apiErrors.StaleVersion({ current: encodeTrade(toTrade(trade)) })
    return ordered
  })

type Which = { tradeId: string; photoId: string }

export const captionTradePhoto = (
  deps: Deps,
  actor: UserActor,
  { tradeId, photoId }: Which,
  caption: string,
) =>
  changePhotos(deps, actor, tradeId, (_, trade) =>
    changePhoto(trade.photos, photoId, (photo) => [{ ...photo, caption }]),
  )

export const deleteTradePhoto = (deps: Deps, actor: UserActor, { tradeId, photoId }: Which): Promise<Trade> =>
  changePhotos(deps, actor, tradeId, async (tx, trade) => {
    const remaining = changePhoto(trade.photos, photoId, () => [])
    if (remaining) await releasePictures(tx, [{ id: photoId }])
    return remaining
  })

type Change = (tx: Db, trade: TradeRow) => StoredPhoto[] | null | Promise<StoredPhoto[] | null>

const changePhotos = (deps: Deps, actor: UserActor, tradeId: string, change: Change): Promise<Trade> =>
  transaction(deps, async (tx) => {
    const [locked] = await store.lockTrade(tx, { id: tradeId, ownerId: actor.id })
    const trade = requireOpenPhotos(locked?.trade)
    const changed = await change(tx, trade)
    if (!changed) throw apiErrors.NotFound()
    return savePhotos(tx, trade, changed)
  })

async function savePhotos(tx: Db, trade: TradeRow, photos: StoredPhoto[]): Promise<Trade> {
  const [row] = await store.saveTradePhotos(tx, { id: trade.id, photos: JSON.stringify(photos) })
  if (!row) throw apiErrors.NotFound()
  await publishTradeChange(tx, [trade.ownerId])
  return toTrade(row)
}

function requireOpenPhotos(trade: TradeRow | undefined): TradeRow {
  if (!trade) throw apiErrors.NotFound()
  if (isAgreedTrade(trade.status)) throw tradeErrors.PhotosFixed()
  return trade
}
