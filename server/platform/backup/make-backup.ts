import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Config } from '../../config.ts'
import { appliedMigrations } from '../database/migrate.ts'
import type { Db } from '../database/open.ts'
import { withoutTimeouts } from '../database/without-timeouts.ts'
import { keptNames } from '../startup/data-folder.ts'
import { StartupError } from '../startup/start-refusal.ts'
import type { OpenStore } from '../storage/open-store.ts'
import { sweepingLock } from '../storage/picture-rows.ts'
import { manifestName, once, openSums, type Sums, syncFolder, writeWhole } from './files.ts'
import { backupsIn, draftPrefix, nameOf } from './folder.ts'
import type { Manifest } from './manifest.ts'
import { copyPhotos, picturesOf } from './photos.ts'
import { dumpTable, readably, sequencesOf, tablesOf } from './tables-out.ts'

export type Source = {
  pool: pg.Pool
  photos: Pick<OpenStore, 'store'>
  config: Pick<Config, 'dataDir' | 'publicUrl'>
  /**
   * Reads the head of the evidence log. Passed in, because platform code may not import modules.
   */
  headOf: (db: Db) => Promise<string | null>
}
export type Made = { path: string; manifest: Manifest }

/**
 * Writes a consistent backup below `folder` while servers are running. The folder is renamed after
 * everything is fsynced, so a folder with its final name is complete (R-everywhere-47).
 */
export async function makeBackup(source: Source, folder: string): Promise<Made> {
  const shelf = resolve(folder)
  await mkdir(shelf, { recursive: true, mode: 0o700 })
  return withoutSweeping(source.pool, async (stillHolds) => {
    await removeDrafts(shelf)
    const before = (await backupsIn(shelf)).at(-1)
    const draft = join(shelf, `${draftPrefix}${process.pid}`)
    await mkdir(draft, { mode: 0o700 })
    try {
      const manifest = await write(source, draft, before === undefined ? null : join(shelf, before))
      await stillHolds()
      const path = join(shelf, nameOf(new Date(manifest.takenAt)))
      await syncFolders(draft)
      await rename(draft, path)
      await syncFolder(shelf)
      return { path, manifest }
    } catch (error) {
      await rm(draft, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  })
}

async function write(source: Source, draft: string, before: string | null): Promise<Manifest> {
  const sums = openSums(draft)
  const inDatabase = await withoutTimeouts(source.pool, async (client) => {
    await client.query(`begin isolation level repeatable read read only; ${readably}`)
    return dumpDatabase(source, client, draft, sums)
  })
  const { pictures, ...rest } = inDatabase
  const copied = await copyPhotos({ store: source.photos.store, folder: draft, sums, before }, pictures)
  const keys: string[] = []
  for (const name of keptNames) {
    const key = await readFile(join(source.config.dataDir, name)).catch(nullIfMissing)
    if (key === null) continue
    await sums.add(`keys/${name}`, await writeWhole(join(draft, 'keys', name), once(key)))
    keys.push(name)
  }
  const manifest: Manifest = {
    format: 1,
    publicUrl: source.config.publicUrl.origin,
    ...rest,
    ...copied,
    keys,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await sums.add(manifestName, await writeWhole(join(draft, manifestName), once(text)))
  await sums.close()
  return manifest
}

/** Reads everything from one snapshot, which the first statement takes. */
async function dumpDatabase(source: Source, client: pg.Client, draft: string, sums: Sums) {
  const { rows: moments } = await client.query<{ takenAt: string; postgresql: string }>(
    `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt", current_setting('server_version') as postgresql`,
  )
  const [moment = { takenAt: '', postgresql: '' }] = moments
  const tables = []
  for (const table of await tablesOf(client)) {
    const { rows, file } = await dumpTable(client, table, draft)
    await sums.add(`tables/${table.name}.gz`, file)
    tables.push({ ...table, rows })
  }
  return {
    ...moment,
    migrations: await appliedMigrations(client),
    tables,
    sequences: await sequencesOf(client),
    head: await source.headOf(drizzle(client)),
    pictures: await picturesOf(client),
  }
}

/**
 * Holds the lock that stops photo sweeping in all processes and excludes a second backup. It is
 * taken before the snapshot and released after the photos are copied.
 */
async function withoutSweeping<T>(
  pool: pg.Pool,
  work: (stillHolds: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  return withoutTimeouts(pool, async (client) => {
    await client.query(`begin; set local lock_timeout = ${waitMs}`)
    await client.query('select pg_advisory_xact_lock($1)', [sweepingLock]).catch(refuseSecond)
    return work(() => client.query('select 1'))
  })
}

/** Longer than sweeping one photo takes. */
const waitMs = 30_000

function refuseSecond(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === '55P03')
    throw new StartupError('Another backup of this database is being made.')
  throw error
}

/** Removes leftovers of aborted backups. The lock guarantees that no other backup is running. */
async function removeDrafts(shelf: string): Promise<void> {
  for (const name of await readdir(shelf))
    if (name.startsWith(draftPrefix)) await rm(join(shelf, name), { recursive: true, force: true })
}

async function syncFolders(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(path, entry.name))
  await syncFolder(path)
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
