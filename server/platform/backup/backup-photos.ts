import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import type pg from 'pg'
import type { OpenStore } from '../storage/open-store.ts'
import { type PictureStore, photoFileNames } from '../storage/picture-store.ts'
import { pictures } from '../storage/tables.ts'
import {
  type Checksum,
  type ChecksumWriter,
  readChecksums,
  type WrittenFile,
  writeSyncedFile,
} from './checksummed-files.ts'
import type { Manifest } from './manifest.ts'

// Derived files such as previews are not backed up, because they can be generated again.

type Picture = { id: string; width: number; isShown: boolean }

/** Lists the pictures of the snapshot in byte order of their ids, regardless of the collation. */
export async function listPictures(client: pg.ClientBase): Promise<Picture[]> {
  const { rows } = await client.query<Picture>(
    `select id, width, sweep_after is null as "isShown" from ${getTableName(pictures)} order by id collate "C"`,
  )
  return rows
}

const photosFolder = 'photos'
const folderOf = (id: string) => `${photosFolder}/${id.slice(0, 2)}/${id}`

type Copying = { store: PictureStore; folder: string; checksums: ChecksumWriter; before: string | null }
type Copied = Pick<Manifest, 'photos' | 'missing'>

/**
 * Copies all photos. Photo files are immutable, so a file in the previous backup is hard-linked and
 * uses no additional space.
 */
export async function copyPhotos(copying: Copying, all: readonly Picture[]): Promise<Copied> {
  const photos = { pictures: all.length, files: 0, bytes: 0 }
  const missing: string[] = []
  const known = copying.before === null ? async () => [] : openPreviousFiles(copying.before)
  for (const { id, width, isShown } of all) {
    const previous = await known(id)
    const names = photoFileNames({ width })
    const files = await Promise.all(names.map((name) => copyPhotoFile(copying, id, name, previous)))
    for (const [place, file] of files.entries()) {
      const path = `${folderOf(id)}/${names[place]}`
      if (file) {
        await copying.checksums.add(path, file)
        photos.files++
        photos.bytes += file.bytes
      }
      // A picture that is not in use yet may still be uploading.
      else if (isShown) missing.push(path)
    }
  }
  return { photos, missing }
}

async function copyPhotoFile(
  { store, folder, before }: Copying,
  id: string,
  name: string,
  previous: readonly Checksum[],
): Promise<WrittenFile | null> {
  const path = `${folderOf(id)}/${name}`
  const target = join(folder, path)
  const earlier = previous.find((one) => one.path === path)
  if (earlier && before !== null && (await isLinked(join(before, path), target)))
    return { digest: earlier.digest, bytes: (await stat(target)).size }
  const found = await store.open(id, name)
  return found && writeSyncedFile(target, found.bytes)
}

/** Returns false if hard links are unsupported or the file is gone; the caller then copies it. */
async function isLinked(file: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  return link(file, target).then(
    () => true,
    () => false,
  )
}

/**
 * Looks up files of the previous backup. Ids must be requested in ascending order, because the
 * checksums are streamed.
 */
function openPreviousFiles(folder: string): (id: string) => Promise<Checksum[]> {
  const lines = readChecksums(folder)
  let next: Checksum | null = null
  let isOver = false
  const step = async () => {
    const { value, done } = await lines.next()
    isOver = done ?? false
    next = done ? null : value
  }
  return async (id) => {
    const found: Checksum[] = []
    while (!isOver) {
      const at = next && pictureIdOf(next.path)
      if (at !== null && at > id) break
      if (next && at === id) found.push(next)
      await step()
    }
    return found
  }
}

/** Returns null for a file that does not belong to a picture. */
function pictureIdOf(path: string): string | null {
  const [first, , id] = path.split('/')
  return first === photosFolder && id ? id : null
}

/** Puts each photo into the store atomically, and returns their number. */
export async function restorePhotos({ store, incoming }: OpenStore, folder: string): Promise<number> {
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  let put = 0
  for (const id of await picturesIn(folder)) {
    const from = join(folder, folderOf(id))
    const draft = await mkdtemp(join(incoming, 'back-'))
    for (const name of await readdir(from)) await copyFile(join(from, name), join(draft, name))
    await store.put(id, draft)
    await rm(draft, { recursive: true, force: true })
    put++
  }
  return put
}

async function picturesIn(folder: string): Promise<string[]> {
  const list = (path: string) => readdir(path).catch(() => [])
  const prefixes = await list(join(folder, photosFolder))
  return (await Promise.all(prefixes.map((prefix) => list(join(folder, photosFolder, prefix))))).flat()
}
