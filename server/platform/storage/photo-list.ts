import type { Photo } from '@keyturn/contract/shared/photo.ts'

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
