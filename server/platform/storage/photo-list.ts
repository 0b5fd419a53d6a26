import type { Photo } from '@keyturn/contract/shared/photo.ts'
import type { StoredPhoto } from './pictures.ts'

/** Sorts photos by `ids`; null unless `ids` names each photo exactly once. */
export function sortByIds<One extends Photo>(photos: readonly One[], ids: readonly string[]): One[] | null {
  const known = new Map(photos.map((photo) => [photo.id, photo]))
  const ordered = [...new Set(ids)].flatMap((id) => known.get(id) ?? [])
  return ordered.length === photos.length && ids.length === photos.length ? ordered : null
}

/** Changes or removes one photo; null if it is not in the list. */
export function changePhoto<One extends Photo>(
  photos: readonly One[],
  id: string,
  change: (photo: One) => One[],
): One[] | null {
  if (!photos.some((photo) => photo.id === id)) return null
  return photos.flatMap((photo) => (photo.id === id ? change(photo) : [photo]))
}

/**
 * Adds a photo behind the earlier ones of its batch, or else before the later ones, or else at the
 * end (R-cars-35). The owner may have moved them since.
 */
export function insertPhoto(
  photos: readonly StoredPhoto[],
  photo: StoredPhoto,
  place: string | undefined,
): StoredPhoto[] {
  if (place === undefined || photos.some((one) => one.place === place)) return [...photos, photo]
  const [batch] = place.split('-')
  const ofBatch = photos
    .map((one, index) => ({ place: one.place ?? '', index }))
    .filter((one) => one.place.startsWith(`${batch}-`))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
  const earlier = ofBatch.filter((one) => one.place < place)
  const lastEarlier = Math.max(...earlier.map(({ index }) => index))
  const index = earlier.length > 0 ? lastEarlier + 1 : (ofBatch[0]?.index ?? photos.length)
  return photos.toSpliced(index, 0, { ...photo, place })
}
