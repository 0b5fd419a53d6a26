import { type Car, car as wireCar } from '@keyturn/contract/cars/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { type Photo, photoBounds } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import type { ChangeContext } from '../../platform/http/change-context.ts'
import type { Upload } from '../../platform/http/request-body.ts'
import { changePhoto, insertPhoto, sortByIds } from '../../platform/storage/photo-list.ts'
import { releasePictures } from '../../platform/storage/picture-repository.ts'
import { type StoredPhoto, storeUpload } from '../../platform/storage/pictures.ts'
import { lockOwnedCar, readOwnedCar, readSellerCar } from './edit-car.ts'
import type { ListingDeps } from './listing-hooks.ts'
import * as store from './repository.ts'
import type { CarRow } from './tables.ts'

// Photos of a car. Only its seller changes them, and not after a buyer is confirmed (R-cars-26).

type NewPhoto = { carId: string; place?: string | undefined; caption?: string | undefined }
export type AddedCarPhoto = { photo: Photo; car: Car; isNew: boolean }

/**
 * Adds a photo. Ownership and the photo limit are checked before the body is read and again under
 * the car's lock.
 */
export async function addCarPhoto(
  deps: ListingDeps,
  by: ChangeContext,
  { carId, place, caption = '' }: NewPhoto,
  upload: Upload,
): Promise<AddedCarPhoto> {
  await transaction(deps.db, (tx) => lockOwnedCar(deps, tx, by, carId))
  return storeUpload(deps, {
    caller: by.actorId,
    upload,
    findEarlier: async (source) => {
      const { photos } = await readOwnedCar(deps.db, by, carId)
      const known = photos.find((photo) => photo.source === source)
      if (known) return { photo: known, car: await readSellerCar(deps.db, carId), isNew: false }
      requireFewerPhotos(photos)
      return null
    },
    addReference: async (tx, photo) => {
      const car = await lockOwnedCar(deps, tx, by, carId)
      const known = car.photos.find(({ id }) => id === photo.id)
      if (known) return { photo: known, car: await readSellerCar(tx, carId), isNew: false }
      requireFewerPhotos(car.photos)
      const captioned = { ...photo, caption }
      const photos = insertPhoto(car.photos, captioned, place)
      return { photo: captioned, car: await saveCarPhotos(deps, tx, car, photos), isNew: true }
    },
  })
}

export const orderCarPhotos = (
  deps: ListingDeps,
  by: ChangeContext,
  carId: string,
  ids: readonly string[],
): Promise<Car> =>
  changeCarPhotos(deps, by, carId, async (tx, car) => {
    const ordered = sortByIds(car.photos, ids)
    if (ordered) return ordered
    throw apiErrors.StaleVersion({ current: wireCar.encode(await readSellerCar(tx, carId)) })
  })

type PhotoKey = { carId: string; photoId: string }

export const captionCarPhoto = (
  deps: ListingDeps,
  by: ChangeContext,
  { carId, photoId }: PhotoKey,
  caption: string,
) =>
  changeCarPhotos(deps, by, carId, (_, car) =>
    changePhoto(car.photos, photoId, (photo) => [{ ...photo, caption }]),
  )

export const deleteCarPhoto = (
  deps: ListingDeps,
  by: ChangeContext,
  { carId, photoId }: PhotoKey,
): Promise<Car> =>
  changeCarPhotos(deps, by, carId, async (tx, car) => {
    const remaining = changePhoto(car.photos, photoId, () => [])
    if (remaining) await releasePictures(tx, [{ id: photoId }])
    return remaining
  })

type Change = (tx: Db, car: CarRow) => StoredPhoto[] | null | Promise<StoredPhoto[] | null>

const changeCarPhotos = (deps: ListingDeps, by: ChangeContext, carId: string, change: Change): Promise<Car> =>
  transaction(deps, async (tx) => {
    const car = await lockOwnedCar(deps, tx, by, carId)
    const changed = await change(tx, car)
    if (!changed) throw apiErrors.NotFound()
    return saveCarPhotos(deps, tx, car, changed)
  })

async function saveCarPhotos(deps: ListingDeps, tx: Db, car: CarRow, photos: StoredPhoto[]): Promise<Car> {
  await store.saveCar(tx, car.id, { photos })
  await deps.hooks.publishCarChange(tx, car)
  return readSellerCar(tx, car.id)
}

function requireFewerPhotos(photos: readonly Photo[]): void {
  if (photos.length >= photoBounds.maxPhotos) throw photoErrors.TooManyPhotos()
}
