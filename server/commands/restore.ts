import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { endEverybodysSessions } from '../modules/accounts/actions.ts'
import { verifyDatabase } from '../modules/agreements/verification/verify-database.ts'
import { parkDeliveries } from '../modules/dealers/webhook-delivery/delivery-repository.ts'
import { dropAllPushes } from '../modules/notifications/actions.ts'
import { restoreBackup, settleRecovered } from '../platform/backup/restore-backup.ts'
import { type Database, type Db, openDatabase } from '../platform/database/open.ts'
import { resumeOutbound } from '../platform/jobs/outbound-pause.ts'
import { giveUpMails } from '../platform/mail/mails.ts'
import { connectBeside, readCommandConfig } from '../platform/startup/command.ts'
import { StartupError } from '../platform/startup/start-refusal.ts'
import { reasonOf } from '../shared/reason-of.ts'

// `npm run restore -- BACKUP`: restores a backup into an empty place. `--into FOLDER`: into a
// folder with an embedded database, whatever the settings, as for a rehearsal. `--moved`: the
// original server has done nothing since. `-- --recovered`: the database was restored by other
// means. `-- --release`: after either, resumes emails, deliveries and pushes.

const say = (line: string) => process.stdout.write(`${line}\n`)
const usage =
  'npm run restore -- BACKUP [--into FOLDER] [--moved], npm run restore -- --recovered, or npm run restore -- --release'

async function forgetSince(tx: Db, because: string): Promise<void> {
  await giveUpMails(tx, because)
  await parkDeliveries(tx)
  await dropAllPushes(tx)
  await endEverybodysSessions(tx, because)
}

/** Runs the work on the configured database, as the owner of the tables where one is set. */
async function onDatabase(config: Config, work: (database: Database) => Promise<number>): Promise<number> {
  const { connection, stop } = await connectBeside(
    { ...config, databaseUrl: config.databaseOwnerUrl ?? config.databaseUrl },
    say,
  )
  const database = openDatabase({ ...connection, max: 2, statement_timeout: 0 })
  try {
    return await work(database)
  } finally {
    await database.close()
    await stop()
  }
}

async function release({ db }: Database): Promise<number> {
  const went = await resumeOutbound(db)
  say(went ? 'Mails, deliveries and pushes go out from now on.' : 'Nothing was held back.')
  return 0
}

async function settle(database: Database): Promise<number> {
  await settleRecovered(database, 'recovered to an earlier moment', forgetSince)
  const wrong = await verifyDatabase(database.db, [], say)
  say(afterwards)
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
  const given = readCommandConfig(env)
  if (!folder && values.release) return onDatabase(given, release)
  if (!folder && values.recovered) return onDatabase(given, settle)
  if (!folder || values.release || values.recovered) throw new StartupError(usage)
  const config: Config =
    values.into === undefined
      ? given
      : { ...given, dataDir: resolve(values.into), databaseUrl: null, databaseOwnerUrl: null, s3: null }
  const wrong = await restoreBackup({
    folder,
    config,
    hasMoved: values.moved ?? false,
    forgetSince,
    verify: (db, heads) => verifyDatabase(db, heads, say),
    say,
  })
  say('All of it is back.')
  if (!values.moved) say(afterwards)
  return wrong
}

const afterwards = `Everybody has to sign in anew. What waited to go out then is parked at /dev, and nothing goes out before
npm run restore -- --release`

try {
  process.exitCode = (await restore(process.env, process.argv.slice(2))) === 0 ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof StartupError ? error.message : reasonOf(error)}\n`)
  process.exitCode = 2
}
