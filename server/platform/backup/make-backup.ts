import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Config } from '../../config.ts'
import { listAppliedMigrations } from '../database/migrate.ts'
import type { Db } from '../database/open-database.ts'
import { withoutTimeouts } from '../database/without-timeouts.ts'
import { secretFileNames } from '../startup/data-folder.ts'
import { StartupError } from '../startup/startup-error.ts'
import type { OpenStore } from '../storage/open-store.ts'
import { sweepLockKey } from '../storage/picture-repository.ts'
import { copyDocuments, listDocuments } from './backup-documents.ts'
import { backupName, listBackups, unfinishedPrefix } from './backup-folder.ts'
import { copyPhotos, listPictures } from './backup-photos.ts'
import {
  type ChecksumWriter,
  createChecksumWriter,
  manifestName,
  syncFolder,
  toChunks,
  writeSyncedFile,
} from './checksummed-files.ts'
import { dumpTable, listSequences, listTables, textFormat } from './dump-table.ts'
import type { Manifest } from './manifest.ts'

export type BackupSource = {
  pool: pg.Pool
  photos: Pick<OpenStore, 'store' | 'documents'>
  config: Pick<Config, 'dataDir' | 'publicUrl'>
  /**
   * Reads the head of the evidence log; passed in, because platform code must not import modules.
   */
  readHead: (db: Db) => Promise<string | null>
}
export type CompletedBackup = { path: string; manifest: Manifest }

/**
 * Writes a consistent backup below `folder` while servers are running. The folder is renamed after
 * everything is fsynced, so a folder with its final name is complete (R-everywhere-47).
 */
export async function makeBackup(source: BackupSource, folder: string): Promise<CompletedBackup> {
  const parent = resolve(folder)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  return withoutSweeping(source.pool, async (stillHolds) => {
    await removeDrafts(parent)
    const before = (await listBackups(parent)).at(-1)
    const draft = join(parent, `${unfinishedPrefix}${process.pid}`)
    await mkdir(draft, { mode: 0o700 })
    try {
      const manifest = await write(source, draft, before === undefined ? null : join(parent, before))
      await stillHolds()
      const path = join(parent, backupName(new Date(manifest.takenAt)))
      await syncFolders(draft)
      await rename(draft, path)
      await syncFolder(parent)
      return { path, manifest }
    } catch (error) {
      await rm(draft, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  })
}

async function write(source: BackupSource, draft: string, before: string | null): Promise<Manifest> {
  const checksums = createChecksumWriter(draft)
  const inDatabase = await withoutTimeouts(source.pool, async (client) => {
    await client.query(`begin isolation level repeatable read read only; ${textFormat}`)
    return dumpDatabase(source, client, draft, checksums)
  })
  const { pictures, documents, ...rest } = inDatabase
  const into = { folder: draft, checksums, before }
  const photos = await copyPhotos({ store: source.photos.store, ...into }, pictures)
  const sealed = await copyDocuments({ documents: source.photos.documents, ...into }, documents)
  const missing = [...photos.missing, ...sealed.missing]
  const keys: string[] = []
  for (const name of secretFileNames) {
    const key = await readFile(join(source.config.dataDir, name)).catch(nullIfMissing)
    if (key === null) continue
    await checksums.add(`keys/${name}`, await writeSyncedFile(join(draft, 'keys', name), toChunks(key)))
    keys.push(name)
  }
  const manifest: Manifest = {
    format: 1,
    publicUrl: source.config.publicUrl.origin,
    ...rest,
    ...photos,
    ...sealed,
    missing,
    keys,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await checksums.add(manifestName, await writeSyncedFile(join(draft, manifestName), toChunks(text)))
  await checksums.close()
  return manifest
}

/** Reads everything from one snapshot, which the first statement takes. */
async function dumpDatabase(
  source: BackupSource,
  client: pg.Client,
  draft: string,
  checksums: ChecksumWriter,
) {
  const { rows: moments } = await client.query<{ takenAt: string; postgresql: string }>(
    `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt", current_setting('server_version') as postgresql`,
  )
  const [moment = { takenAt: '', postgresql: '' }] = moments
  const tables = []
  for (const table of await listTables(client)) {
    const { rows, file } = await dumpTable(client, table, draft)
    await checksums.add(`tables/${table.name}.gz`, file)
    tables.push({ ...table, rows })
  }
  return {
    ...moment,
    migrations: await listAppliedMigrations(client),
    tables,
    sequences: await listSequences(client),
    head: await source.readHead(drizzle(client)),
    pictures: await listPictures(client),
    documents: await listDocuments(client),
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
    await client.query('select pg_advisory_xact_lock($1)', [sweepLockKey]).catch(explainLock)
    return work(() => client.query('select 1'))
  })
}

/** Longer than sweeping one photo takes. */
const waitMs = 30_000

function explainLock(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === '55P03')
    throw new StartupError('Another backup of this database is being made.')
  throw error
}

/** Removes leftovers of aborted backups. The lock guarantees that no other backup is running. */
async function removeDrafts(parent: string): Promise<void> {
  for (const name of await readdir(parent))
    if (name.startsWith(unfinishedPrefix)) await rm(join(parent, name), { recursive: true, force: true })
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
