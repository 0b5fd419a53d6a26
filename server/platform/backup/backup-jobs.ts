import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Db } from '../database/open.ts'
import { addJob, type Outcome, type Tasks } from '../jobs/jobs.ts'
import type { EmailContent } from '../mail/email-content.ts'
import { sendMail } from '../mail/mails.ts'
import { say } from '../mail/sentence.ts'
import { sweepingLock } from '../storage/picture-rows.ts'
import { loaderFor } from '../workers/thread.ts'
import { keepFailure, type RecentBackups, recentBackups } from './backup-rows.ts'
import { backupsIn, momentOf } from './folder.ts'
import { nextTime, staying } from './times.ts'

const backupJob = 'back-up'

type BackupDeps = Pick<Deps, 'db' | 'log' | 'config'>
export type BackupJobs = { tasks: Tasks; plan: () => Promise<void>; close: () => void }

/**
 * Makes backups at the times of BACKUP_AT, in one of the server processes that have the setting.
 * `command` runs in a child process, because a backup takes longer than a job may; the job starts
 * it and polls.
 */
export function backupJobs(deps: BackupDeps, command: URL): BackupJobs {
  const { backup } = deps.config
  if (!backup) return { tasks: {}, plan: async () => {}, close: () => {} }
  let making: AbortController | null = null

  async function run(): Promise<Outcome> {
    if (making || (await isBeingMade(deps.db)))
      return { againInMs: lookEveryMs, because: 'one is being made' }
    const recent = await recentBackups(deps.db)
    const waitMs = dueInMs(recent, backup?.at ?? [])
    if (waitMs > 0) return { againInMs: waitMs }
    const ending = new AbortController()
    making = ending
    void make(command, backup?.folder ?? '', ending.signal)
      .then((because) => (ending.signal.aborted ? undefined : ended(deps, because, recent.now)))
      .catch((error) => deps.log.error({ err: error }, 'backup'))
      .finally(() => {
        making = null
      })
    return { againInMs: lookEveryMs }
  }

  return {
    tasks: { [backupJob]: { places: 1, run } },
    plan: () => addJob(deps.db, backupJob, {}, { key: backupJob }),
    close: () => making?.abort(),
  }
}

const lookEveryMs = 3_000
/** Delay between a failed backup and the next attempt. */
const pauseMs = 15 * 60_000
/**
 * The administrator gets an email for the first failure, then for every 96th (about once a day).
 */
const toldEvery = 96

/** True while any process, including one started by hand, holds the backup lock. */
async function isBeingMade(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${sweepingLock}) as free`,
  )
  return rows[0]?.free === false
}

function dueInMs({ now, lastWhole, lastFailed }: RecentBackups, at: readonly number[]): number {
  const due = lastWhole ? nextTime(lastWhole, at).getTime() : 0
  const again = lastFailed && (!lastWhole || lastFailed > lastWhole) ? lastFailed.getTime() + pauseMs : 0
  return Math.max(due, again) - now.getTime()
}

/** Resolves with the reason of the failure, or null when the backup was made. */
function make(command: URL, folder: string, signal: AbortSignal): Promise<string | null> {
  const child = fork(command, [folder], {
    execArgv: loaderFor(command),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
  })
  let said = ''
  child.stderr?.on('data', (text) => {
    said = `${said}${text}`.slice(-1000)
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(code === 0 ? null : said.trim() || `it ended with code ${code}`))
  })
}

async function ended(deps: BackupDeps, because: string | null, begunAt: Date): Promise<void> {
  const { folder, keep } = deps.config.backup ?? { folder: '', keep: { days: 0, weeks: 0, months: 0 } }
  if (because === null) {
    const removed = await removeOld(folder, keep)
    deps.log.info({ folder, removed }, 'backup made')
    return
  }
  deps.log.error({ folder, because }, 'backup failed')
  const { lastFailed } = await recentBackups(deps.db)
  // A killed child process records no failure itself.
  if (!lastFailed || lastFailed < begunAt) await keepFailure(deps.db, because)
  const { failures, lastWhole } = await recentBackups(deps.db)
  const { adminEmail } = deps.config
  if (adminEmail === null || failures % toldEvery !== 1) return
  await sendMail(deps, deps.db, { id: null, email: adminEmail }, failedLetter(because, lastWhole))
}

/** Deletes the backups that BACKUP_KEEP does not retain, and returns their names. */
async function removeOld(folder: string, keep: Parameters<typeof staying>[1]): Promise<string[]> {
  const found = (await backupsIn(folder)).map((name) => ({ name, moment: momentOf(name) ?? new Date(0) }))
  const stays = staying(
    found.map(({ moment }) => moment),
    keep,
  )
  const old = found.filter(({ moment }) => !stays.has(moment)).map(({ name }) => name)
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true })
  return old
}

function failedLetter(because: string, lastWhole: Date | null): EmailContent {
  const last = lastWhole ? say`The last one is of ${lastWhole.toISOString()}.` : say`There is none yet.`
  return {
    subject: say`A backup could not be made`,
    lines: [say`It is tried again every quarter of an hour. The reason was: ${because}`, last],
  }
}
