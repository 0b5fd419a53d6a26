import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import type pg from 'pg'
import type { OpenStore } from '../storage/open-store.ts'
import { drawnNames, type PictureStore } from '../storage/picture-store.ts'
import { pictures } from '../storage/tables.ts'
import { type Digested, readSums, type Summed, type Sums, writeWhole } from './files.ts'
import type { Manifest } from './manifest.ts'

// What is made of a photo later (previews) is left out: it is made again.

type Picture = { id: string; width: number; isShown: boolean }

/** What the snapshot knows of, in an order that does not depend on who asks. */
export async function picturesOf(client: pg.ClientBase): Promise<Picture[]> {
  const { rows } = await client.query<Picture>(
    `select id, width, sweep_after is null as "isShown" from ${getTableName(pictures)} order by id collate "C"`,
  )
  return rows
}

const within = 'photos'
const folderOf = (id: string) => `${within}/${id.slice(0, 2)}/${id}`

type Copying = { store: PictureStore; folder: string; sums: Sums; before: string | null }
type Copied = Pick<Manifest, 'photos' | 'missing'>

/** Files of photos never change: one that the backup before has already gets a second name here, and takes no room. */
export async function copyPhotos(copying: Copying, all: readonly Picture[]): Promise<Copied> {
  const photos = { pictures: all.length, files: 0, bytes: 0 }
  const missing: string[] = []
  const known = copying.before === null ? async () => [] : knownIn(copying.before)
  for (const { id, width, isShown } of all) {
    const there = await known(id)
    const names = drawnNames({ width })
    const files = await Promise.all(names.map((name) => copyOne(copying, id, name, there)))
    for (const [place, file] of files.entries()) {
      const path = `${folderOf(id)}/${names[place]}`
      if (file) {
        await copying.sums.add(path, file)
        photos.files++
        photos.bytes += file.bytes
      }
      // One that nobody shows yet is still on its way.
      else if (isShown) missing.push(path)
    }
  }
  return { photos, missing }
}

async function copyOne(
  { store, folder, before }: Copying,
  id: string,
  name: string,
  there: readonly Summed[],
): Promise<Digested | null> {
  const path = `${folderOf(id)}/${name}`
  const target = join(folder, path)
  const earlier = there.find((one) => one.path === path)
  if (earlier && before !== null && (await isLinked(join(before, path), target)))
    return { digest: earlier.digest, bytes: (await stat(target)).size }
  const found = await store.open(id, name)
  return found && writeWhole(target, found.bytes)
}

/** False where the file system cannot, or the file before is gone: then it is copied. */
async function isLinked(file: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  return link(file, target).then(
    () => true,
    () => false,
  )
}

/** Asked by ascending id, as the lines stand: so many lines need not be in memory at once. */
function knownIn(folder: string): (id: string) => Promise<Summed[]> {
  const lines = readSums(folder)
  let next: Summed | null = null
  let isOver = false
  const step = async () => {
    const { value, done } = await lines.next()
    isOver = done ?? false
    next = done ? null : value
  }
  return async (id) => {
    const found: Summed[] = []
    while (!isOver) {
      const at = next && idIn(next.path)
      if (at !== null && at > id) break
      if (next && at === id) found.push(next)
      await step()
    }
    return found
  }
}

/** Null for a file that is of no picture. */
function idIn(path: string): string | null {
  const [first, , id] = path.split('/')
  return first === within && id ? id : null
}

/** Puts every photo into the store, each as a whole. */
export async function putPhotos({ store, incoming }: OpenStore, folder: string): Promise<number> {
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
  const shelves = await list(join(folder, within))
  return (await Promise.all(shelves.map((shelf) => list(join(folder, within, shelf))))).flat()
}
