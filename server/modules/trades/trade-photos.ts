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
import { encodeTrade, type TradeWithAmounts, toTrade } from './mappers.ts'
import { publishTradeChange } from './notify.ts'
import * as store from './repository.ts'

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
    return requireOpenPhotos(found)
  }
  await findTrade()
  return storeUpload(deps, {
    caller: actor.id,
    upload,
    findEarlier: async (source) => findExistingPhoto(await findTrade(), (photo) => photo.source === source),
    addReference: async (tx, photo) => {
      const [locked] = await store.lockTrade(tx, which)
      const found = requireOpenPhotos(locked)
      const known = findExistingPhoto(found, ({ id }) => id === photo.id)
      const photos = insertPhoto(found.trade.photos, photo, place)
      return known ?? { photo, trade: await savePhotos(tx, found, photos), isNew: true }
    },
  })
}

/** Returns null when another photo may be added. */
function findExistingPhoto(
  found: TradeWithAmounts,
  isSame: (photo: StoredPhoto) => boolean,
): AddedTradePhoto | null {
  const { photos } = found.trade
  const known = photos.find(isSame)
  if (known) return { photo: known, trade: toTrade(found), isNew: false }
  if (photos.length >= photoBounds.maxPhotos) throw photoErrors.TooManyPhotos()
  return null
}

export const orderTradePhotos = (deps: Deps, actor: UserActor, tradeId: string, ids: readonly string[]) =>
  changePhotos(deps, actor, tradeId, (_, found) => {
    const ordered = sortByIds(found.trade.photos, ids)
    if (!ordered) throw apiErrors.StaleVersion({ current: encodeTrade(toTrade(found)) })
    return ordered
  })

type Which = { tradeId: string; photoId: string }

export const captionTradePhoto = (
  deps: Deps,
  actor: UserActor,
  { tradeId, photoId }: Which,
  caption: string,
) =>
  changePhotos(deps, actor, tradeId, (_, { trade }) =>
    changePhoto(trade.photos, photoId, (photo) => [{ ...photo, caption }]),
  )

export const deleteTradePhoto = (deps: Deps, actor: UserActor, { tradeId, photoId }: Which): Promise<Trade> =>
  changePhotos(deps, actor, tradeId, async (tx, { trade }) => {
    const remaining = changePhoto(trade.photos, photoId, () => [])
    if (remaining) await releasePictures(tx, [{ id: photoId }])
    return remaining
  })

type Change = (tx: Db, found: TradeWithAmounts) => StoredPhoto[] | null | Promise<StoredPhoto[] | null>

const changePhotos = (deps: Deps, actor: UserActor, tradeId: string, change: Change): Promise<Trade> =>
  transaction(deps, async (tx) => {
    const [locked] = await store.lockTrade(tx, { id: tradeId, ownerId: actor.id })
    const found = requireOpenPhotos(locked)
    const changed = await change(tx, found)
    if (!changed) throw apiErrors.NotFound()
    return savePhotos(tx, found, changed)
  })

async function savePhotos(tx: Db, found: TradeWithAmounts, photos: StoredPhoto[]): Promise<Trade> {
  const [row] = await store.saveTradePhotos(tx, { id: found.trade.id, photos: JSON.stringify(photos) })
  if (!row) throw apiErrors.NotFound()
  await publishTradeChange(tx, [row.ownerId])
  return toTrade({ ...found, trade: row })
}

function requireOpenPhotos<Found extends TradeWithAmounts>(found: Found | undefined): Found {
  if (!found) throw apiErrors.NotFound()
  if (isAgreedTrade(found.trade.status)) throw tradeErrors.PhotosFixed()
  return found
}
