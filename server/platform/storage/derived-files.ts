import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import type { Deps } from '../../deps.ts'
import { transaction } from '../database/open-database.ts'
import { lockPicture } from './picture-repository.ts'
import type { DerivedName } from './picture-store.ts'

type Id = Pick<Photo, 'id'>

/** Reads the JPEG of this width; null if it does not exist. */
export const readPhotoFile = ({ pictures }: Pick<Deps, 'pictures'>, { id }: Id, width: number) =>
  readWhole(pictures.store.open(id, `${width}.jpg`))

/** Reads a derived file of a photo; null if it does not exist. */
export const readDerivedFile = ({ pictures }: Pick<Deps, 'pictures'>, { id }: Id, name: DerivedName) =>
  readWhole(pictures.store.open(id, name))

/**
 * Stores a derived file. Does nothing if the photo is deleted or about to be, because the file
 * would never be removed.
 */
export const storeDerivedFile = (
  { db, pictures }: Pick<Deps, 'db' | 'pictures'>,
  { id }: Id,
  name: DerivedName,
  bytes: Uint8Array,
): Promise<void> =>
  transaction(db, async (tx) => {
    const [held] = await lockPicture(tx, { id })
    if (held) await pictures.store.add(id, name, bytes)
  })

async function readWhole(opening: Promise<{ bytes: Readable } | null>): Promise<Buffer | null> {
  const file = await opening
  return file && buffer(file.bytes)
}
