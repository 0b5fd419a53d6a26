import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import type { Deps } from '../../deps.ts'
import { transaction } from '../database/open.ts'
import { holdPicture } from './picture-rows.ts'
import type { Beside } from './picture-store.ts'

type Id = Pick<Photo, 'id'>

/** A photo's JPEG of this width, for who makes something of it; null where there is none. */
export const readPhoto = ({ pictures }: Pick<Deps, 'pictures'>, { id }: Id, width: number) =>
  readWhole(pictures.store.open(id, `${width}.jpg`))

/** What was kept beside a photo's files. */
export const readDerived = ({ pictures }: Pick<Deps, 'pictures'>, { id }: Id, name: Beside) =>
  readWhole(pictures.store.open(id, name))

/** Nothing is kept beside a photo that is gone, or goes in this moment: nobody would take it away again. */
export const storeDerived = (
  { db, pictures }: Pick<Deps, 'db' | 'pictures'>,
  { id }: Id,
  name: Beside,
  bytes: Uint8Array,
): Promise<void> =>
  transaction(db, async (tx) => {
    const [held] = await holdPicture(tx, { id })
    if (held) await pictures.store.add(id, name, bytes)
  })

async function readWhole(opening: Promise<{ bytes: Readable } | null>): Promise<Buffer | null> {
  const file = await opening
  return file && buffer(file.bytes)
}
