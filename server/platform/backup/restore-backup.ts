import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { lockDataFolder } from '../../integrations/embedded-postgres/lock-data-folder.ts'
import { startEmbeddedPostgres } from '../../integrations/embedded-postgres/start-embedded-postgres.ts'
import { createServingRole, defaultServingRole } from '../database/application-role.ts'
import { migrate } from '../database/migrate.ts'
import { type Database, type Db, openDatabase, transaction } from '../database/open-database.ts'
import { withoutTimeouts } from '../database/without-timeouts.ts'
import { pauseOutbound } from '../jobs/outbound-pause.ts'
import { grantRoleOrStartupError } from '../startup/startup-checks.ts'
import { StartupError } from '../startup/startup-error.ts'
import { type OpenStore, openStore } from '../storage/open-store.ts'
import { restoreDocuments } from './backup-documents.ts'
import { verifyBackup } from './backup-folder.ts'
import { restorePhotos } from './backup-photos.ts'
import { fillTables, skipVersions } from './fill-tables.ts'
import type { Manifest } from './manifest.ts'

export type RestoreOptions = {
  folder: string
  config: Config
  /**
   * True when the backed-up installation has been off since the backup: sessions stay valid and
   * outbound jobs are not paused.
   */
  hasMoved: boolean
  /**
   * Invalidates what may have become untrue since the backup. Passed in, because platform code must
   * not import modules.
   */
  invalidateState: (tx: Db, because: string) => Promise<void>
  /** Verifies the evidence; returns the number of altered rows. Passed in for the same reason. */
  verify: (db: Db, store: Pick<OpenStore, 'documents'>, heads: readonly string[]) => Promise<number>
  print: (line: string) => void
}

/**
 * Finishes a restore by other means, such as point-in-time recovery: invalidates what may have
 * become untrue.
 */
export async function finishRecovery(
  { pool }: Database,
  because: string,
  invalidateState: RestoreOptions['invalidateState'],
): Promise<void> {
  await withoutTimeouts(pool, async (client) => {
    await client.query('begin')
    await skipVersions(client)
    const tx = drizzle(client)
    await pauseOutbound(tx, because)
    await invalidateState(tx, because)
    await client.query('commit')
  })
}

/** Everything is restored into this folder first and moved at the end. */
const draftName = 'restoring'
/**
 * Entries that do not count when checking that the data folder is empty, in addition to log files.
 */
const ignoredEntries = [draftName, 'held-by', 'lost+found']

/**
 * Restores a backup into an empty data folder and database. Returns the number of altered evidence
 * rows. Throws a `StartupError` if the target is not empty.
 */
export async function restoreBackup(restoring: RestoreOptions): Promise<number> {
  const { config, print } = restoring
  const dataDir = resolve(config.dataDir)
  print('Verifying the backup')
  const manifest = await verifyBackup(restoring.folder)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const release = lockDataFolder(dataDir)
  const draft = join(dataDir, draftName)
  try {
    await requireEmptyFolder(dataDir)
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { mode: 0o700 })
    const wrong = await restoreInto(restoring, manifest, draft)
    await moveIntoPlace(draft, dataDir)
    return wrong
  } finally {
    await rm(draft, { recursive: true, force: true })
    release()
  }
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const entry = (await readdir(dataDir)).find(
    (name) => !ignoredEntries.includes(name) && !/\.log(\.\d+)?$/.test(name),
  )
  if (entry !== undefined)
    throw new StartupError(
      `${dataDir} is not empty (${entry}): move it away, or name an empty place (DATA_DIR, or --into FOLDER). Nothing was changed.`,
    )
}

async function restoreInto(restoring: RestoreOptions, manifest: Manifest, draft: string): Promise<number> {
  const { folder, config, print } = restoring
  const store = openStore({ dataDir: draft, s3: config.s3 })
  await restoreFiles(restoring, manifest, draft, store)
  const { owner, serving, close } = await connect(config, draft, print)
  try {
    // Fails before anything is written if the serving user cannot connect.
    await serving.pool.query('select')
    print(
      `Database: ${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows in ${manifest.tables.length} tables`,
    )
    await withoutTimeouts(owner.pool, async (client) => {
      await client.query('begin')
      await requireEmptyDatabase(client)
      await fillTables(client, folder, manifest)
      // In the same transaction as the rows, so that nothing is sent even if a later step fails.
      if (!restoring.hasMoved) await pauseOutbound(drizzle(client), pauseReason(manifest))
      await client.query('commit')
    })
    const { ran: steps } = await migrate(owner.pool)
    if (steps.length > 0) print(`Database migrated (${steps.length} migrations).`)
    await grantRoleOrStartupError(owner.pool, serving.pool, { ...config, demo: false })
    if (!restoring.hasMoved)
      await transaction(owner.db, (tx) => restoring.invalidateState(tx, pauseReason(manifest)))
    await withoutTimeouts(owner.pool, (client) => client.query('analyze'))
    return await restoring.verify(owner.db, store, manifest.head === null ? [] : [manifest.head])
  } finally {
    await close()
    await store.close()
  }
}

async function restoreFiles(
  { folder, print }: RestoreOptions,
  manifest: Manifest,
  draft: string,
  store: OpenStore,
): Promise<void> {
  print(`Photos: ${await restorePhotos(store, folder)}`)
  print(`Agreements: ${await restoreDocuments(store, folder)}`)
  for (const name of manifest.keys) await copyFile(join(folder, 'keys', name), join(draft, name))
  print(`Keys and secrets: ${manifest.keys.join(', ') || 'none'}`)
  if (manifest.missing.length > 0)
    print(
      `${manifest.missing.length} files of photos or agreements were missing when the backup was made: ${manifest.missing[0]} ...`,
    )
}

const pauseReason = ({ takenAt }: Manifest) => `restored from a backup of ${takenAt}`

async function requireEmptyDatabase(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') limit 1`,
  )
  if (rows[0])
    throw new StartupError(
      `The database is not empty (${rows[0].name}): name an empty one in DATABASE_URL. Nothing was changed.`,
    )
}

type Opened = { owner: Database; serving: Database; close(): Promise<void> }

/** An embedded database is created in the draft folder and moved with it. */
async function connect(config: Config, draft: string, print: (line: string) => void): Promise<Opened> {
  const { databaseUrl, databaseOwnerUrl } = config
  if (databaseUrl)
    return opened(
      { connectionString: databaseOwnerUrl ?? databaseUrl },
      { connectionString: databaseUrl },
      async () => {},
    )
  const embedded = await startEmbeddedPostgres({ dataDir: draft, onProgress: print })
  const both = opened(embedded.connection, { ...embedded.connection, user: defaultServingRole }, () =>
    embedded.stop(),
  )
  await createServingRole(both.owner.pool, defaultServingRole)
  return both
}

function opened(owns: pg.PoolConfig, serves: pg.PoolConfig, stop: () => Promise<void>): Opened {
  const owner = openDatabase({ ...owns, max: 2, statement_timeout: 0 })
  const serving = openDatabase({ ...serves, max: 1 })
  return {
    owner,
    serving,
    close: async () => {
      await serving.close()
      await owner.close()
      await stop()
    },
  }
}

/** Moves the database last, so that a data folder with a database is complete. */
async function moveIntoPlace(draft: string, dataDir: string): Promise<void> {
  const names = (await readdir(draft)).filter((name) => !/\.log(\.\d+)?$/.test(name)).sort()
  const database = names.filter((name) => name === 'postgres')
  for (const name of [...names.filter((one) => one !== 'postgres'), ...database])
    await rename(join(draft, name), join(dataDir, name))
}
