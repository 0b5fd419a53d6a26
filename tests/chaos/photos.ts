import type { Photo } from '@keyturn/contract/shared/photo.ts'
import {
  type PhotoFormat,
  photoAddress,
  photoFormats,
  photoWidths,
} from '@keyturn/contract/shared/photo-files.ts'

/** Counts the files of these photos that cannot be downloaded. */
export async function countMissing(baseUrl: string, photos: readonly Photo[]): Promise<number> {
  const paths = photos.flatMap((photo) =>
    photoWidths(photo).flatMap((width) =>
      (Object.keys(photoFormats) as PhotoFormat[]).map((format) => photoAddress(photo, width, format)),
    ),
  )
  let missing = 0
  for (const path of paths) {
    const file = await fetch(new URL(path, baseUrl))
    if (file.status !== 200 || (await file.arrayBuffer()).byteLength === 0) missing++
  }
  return missing
}
