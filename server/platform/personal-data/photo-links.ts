import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import type { StoredPhoto } from '../storage/pictures.ts'
import type { DataReader, DataRow } from './data-section.ts'

/** Links to the largest files of photos, with their captions. */
export const photoLinks = (
  { config }: Pick<DataReader, 'config'>,
  photos: readonly StoredPhoto[],
): DataRow[] =>
  photos.map((photo) => ({
    caption: photo.caption,
    link: new URL(photoAddress(photo, photo.width, 'jpg'), config.publicUrl).href,
  }))
