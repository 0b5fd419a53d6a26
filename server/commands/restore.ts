import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { signOutEverybody } from '../modules/accounts/sessions/sign-out-everybody.ts'
import { verifyDatabase } from '../modules/agreements/verification/verify-database.ts'
import { parkDeliveries } from '../modules/dealers/webhook-delivery/delivery-repository.ts'
import { deleteAllPushes } from '../modules/notifications/push/push-repository.ts'
import { finishRecovery, restoreBackup } from '../platform/backup/restore-backup.ts'
import { type Database, type Db, openDatabase } from '../platform/database/open-database.ts'
import { resumeOutbound } from '../platform/jobs/outbound-pause.ts'
import { giveUpEmails } from '../platform/mail/email-queue.ts'
import { connectForCommand, readCommandConfig } from '../platform/startup/command-connection.ts'
import { StartupError } from '../platform/startup/startup-error.ts'
import { openStore } from '../platform/storage/open-store.ts'
import { describeError } from '../shared/describe-error.ts'
import { print } from '../shared/print.ts'

// `npm run restore -- BACKUP`: restores a backup into an empty database and data folder. `--into
// FOLDER`: into a folder with an embedded database, regardless of the settings, as for a rehearsal.
// `--moved`: the original server has done nothing since the backup. `-- --recovered`: the database
// was restored by other means. `-- --release`: after either, resumes emails, deliveries and pushes.

const usage =
  'npm run restore -- BACKUP [--into FOLDER] [--moved], npm run restore -- --recovered, or npm run restore -- --release'

async function invalidateState(tx: Db, because: string): Promise<void> {
  await giveUpEmails(tx, because)
  await parkDeliveries(tx)
  await deleteAllPushes(tx)
  await signOutEverybody(tx, because)
}

/** Runs the work on the configured database, as the owner of the tables if one is set. */
async function onDatabase(
  config: Config,
  work: (database: Database, config: Config) => Promise<number>,
): Promise<number> {
  const { connection, stop } = await connectForCommand(
    { ...config, databaseUrl: config.databaseOwnerUrl ?? config.databaseUrl },
    print,
  )
  const database = openDatabase({ ...connection, max: 2, statement_timeout: 0 })
  try {
    return await work(database, config)
  } finally {
    await database.close()
    await stop()
  }
}

async function release({ db }: Database): Promise<number> {
  const wasPaused = await resumeOutbound(db)
  print(wasPaused ? 'Emails, deliveries and pushes are sent from now on.' : 'Nothing was paused.')
  return 0
}

async function recover(database: Database, config: Config): Promise<number> {
  await finishRecovery(database, 'recovered to an earlier moment', invalidateState)
  const store = openStore(config)
  const wrong = await verifyDatabase(database.db, store, [], print)
  await store.close()
  print(afterwards)
  return wrong
}

async function restore(env: NodeJS.ProcessEnv, args: string[]): Promise<number> {
  process.umask(0o077)
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      into: { type: 'string' },
      moved: { type: 'boolean' },
      release: { type: 'boolean' },
      recovered: { type: 'boolean' },
    },
  })
  const [folder] = positionals
  const configured = readCommandConfig(env)
  if (!folder && values.release) return onDatabase(configured, release)
  if (!folder && values.recovered) return onDatabase(configured, recover)
  if (!folder || values.release || values.recovered) throw new StartupError(usage)
  const config: Config =
    values.into === undefined
      ? configured
      : { ...configured, dataDir: resolve(values.into), databaseUrl: null, databaseOwnerUrl: null, s3: null }
  const wrong = await restoreBackup({
    folder,
    config,
    hasMoved: values.moved ?? false,
    invalidateState,
    verify: (db, store, heads) => verifyDatabase(db, store, heads, print),
    print,
  })
  print('The backup is restored.')
  if (!values.moved) print(afterwards)
  return wrong
}

const afterwards = `Everybody has to sign in again; invitations and recovery codes of administrators are void. At /dev, check who is an
administrator and who is suspended: changes since the backup are undone. What was pending is parked there, and
nothing is sent before npm run restore -- --release`

try {
  process.exitCode = (await restore(process.env, process.argv.slice(2))) === 0 ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof StartupError ? error.message : describeError(error)}\n`)
  process.exitCode = 2
}
