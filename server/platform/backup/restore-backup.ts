import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { holdFolder } from '../../integrations/embedded-postgres/lock.ts'
import { openEmbedded } from '../../integrations/embedded-postgres/open.ts'
import { makeRole, servingRole } from '../database/application-role.ts'
import { migrate } from '../database/migrate.ts'
import { type Database, type Db, openDatabase, transaction } from '../database/open.ts'
import { withoutTimeouts } from '../database/without-timeouts.ts'
import { pauseOutbound } from '../jobs/outbound-pause.ts'
import { StartupError } from '../startup/start-refusal.ts'
import { grantOrExit } from '../startup/startup-checks.ts'
import { openStore } from '../storage/open-store.ts'
import { checkBackup } from './folder.ts'
import type { Manifest } from './manifest.ts'
import { putPhotos } from './photos.ts'
import { fillTables, skipVersions } from './tables-in.ts'

export type Restoring = {
  folder: string
  config: Config
  /** The one that was backed up has done nothing since: what waits goes out, and who is signed in stays so. */
  hasMoved: boolean
  /** Handed in by who knows the rooms: what the moment since then may have made untrue. */
  forgetSince: (tx: Db, because: string) => Promise<void>
  /** The same: looks over what came back, and answers how many rows are not as they were written. */
  verify: (db: Db, heads: readonly string[]) => Promise<number>
  say: (line: string) => void
}

/** The same for a database that was put back by other means, such as a recovery to a point in time. */
export async function settleRecovered(
  { pool }: Database,
  because: string,
  forgetSince: Restoring['forgetSince'],
): Promise<void> {
  await withoutTimeouts(pool, async (client) => {
    await client.query('begin')
    await skipVersions(client)
    const tx = drizzle(client)
    await pauseOutbound(tx, because)
    await forgetSince(tx, because)
    await client.query('commit')
  })
}

/** Below the data folder until all of it is there. */
const draftName = 'restoring'
/** Never part of what was there: logs, our own draft and its lock, what a disk's root holds. */
const ofNoAccount = [draftName, 'held-by', 'lost+found']

/** Puts a backup back where nothing is. Answers how many rows of evidence are not as they were written. */
export async function restoreBackup(restoring: Restoring): Promise<number> {
  const { config, say } = restoring
  const dataDir = resolve(config.dataDir)
  say('Reading every byte of the backup')
  const manifest = await checkBackup(restoring.folder)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const release = holdFolder(dataDir)
  const draft = join(dataDir, draftName)
  try {
    await refuseTaken(dataDir)
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { mode: 0o700 })
    const wrong = await putBack(restoring, manifest, draft)
    await takePlace(draft, dataDir)
    return wrong
  } finally {
    await rm(draft, { recursive: true, force: true })
    release()
  }
}

async function refuseTaken(dataDir: string): Promise<void> {
  const there = (await readdir(dataDir)).find(
    (name) => !ofNoAccount.includes(name) && !/\.log(\.\d+)?$/.test(name),
  )
  if (there !== undefined)
    throw new StartupError(
      `${dataDir} is not empty (${there}): move it away, or name an empty place (DATA_DIR, or --into FOLDER). Nothing was changed.`,
    )
}

async function putBack(restoring: Restoring, manifest: Manifest, draft: string): Promise<number> {
  const { folder, config, say } = restoring
  await putFiles(restoring, manifest, draft)
  const { owner, serving, close } = await connect(config, draft, say)
  try {
    // Told before anything is written.
    await serving.pool.query('select')
    say(
      `Database: ${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows in ${manifest.tables.length} tables`,
    )
    await withoutTimeouts(owner.pool, async (client) => {
      await client.query('begin')
      await refuseTables(client)
      await fillTables(client, folder, manifest)
      // With the rows: nothing of them leaves, whatever becomes of the rest.
      if (!restoring.hasMoved) await pauseOutbound(drizzle(client), sayingOf(manifest))
      await client.query('commit')
    })
    const { ran: steps } = await migrate(owner.pool)
    if (steps.length > 0) say(`Database brought up to date (${steps.length} steps).`)
    await grantOrExit(owner.pool, serving.pool, { ...config, demo: false })
    if (!restoring.hasMoved)
      await transaction(owner.db, (tx) => restoring.forgetSince(tx, sayingOf(manifest)))
    await withoutTimeouts(owner.pool, (client) => client.query('analyze'))
    return await restoring.verify(owner.db, manifest.head === null ? [] : [manifest.head])
  } finally {
    await close()
  }
}

async function putFiles(
  { folder, config, say }: Restoring,
  manifest: Manifest,
  draft: string,
): Promise<void> {
  const photos = openStore({ dataDir: draft, s3: config.s3 })
  say(`Photos: ${await putPhotos(photos, folder)}`)
  await photos.close()
  for (const name of manifest.keys) await copyFile(join(folder, 'keys', name), join(draft, name))
  say(`Keys and secrets: ${manifest.keys.join(', ') || 'none'}`)
  if (manifest.missing.length > 0)
    say(
      `${manifest.missing.length} files of photos were missing when the backup was made: ${manifest.missing[0]} ...`,
    )
}

const sayingOf = ({ takenAt }: Manifest) => `restored from a backup of ${takenAt}`

async function refuseTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') limit 1`,
  )
  if (rows[0])
    throw new StartupError(
      `The database is not empty (${rows[0].name}): name an empty one in DATABASE_URL. Nothing was changed.`,
    )
}

type Opened = { owner: Database; serving: Database; close(): Promise<void> }

/** The embedded one is made in the draft, and moves with it. */
async function connect(config: Config, draft: string, say: (line: string) => void): Promise<Opened> {
  const { databaseUrl, databaseOwnerUrl } = config
  if (databaseUrl)
    return opened(
      { connectionString: databaseOwnerUrl ?? databaseUrl },
      { connectionString: databaseUrl },
      async () => {},
    )
  const embedded = await openEmbedded({ dataDir: draft, onProgress: say })
  const both = opened(embedded.connection, { ...embedded.connection, user: servingRole }, () =>
    embedded.stop(),
  )
  await makeRole(both.owner.pool, servingRole)
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

/** The database last: what has it is whole. */
async function takePlace(draft: string, dataDir: string): Promise<void> {
  const names = (await readdir(draft)).filter((name) => !/\.log(\.\d+)?$/.test(name)).sort()
  const database = names.filter((name) => name === 'postgres')
  for (const name of [...names.filter((one) => one !== 'postgres'), ...database])
    await rename(join(draft, name), join(dataDir, name))
}
