import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Db } from '../database/open-database.ts'
import { addJob, type JobOutcome, type Tasks } from '../jobs/jobs.ts'
import type { EmailContent } from '../mail/email-content.ts'
import { enqueueEmail } from '../mail/email-queue.ts'
import { sentence } from '../mail/sentence.ts'
import { sweepLockKey } from '../storage/picture-repository.ts'
import { loaderFor } from '../workers/thread-worker.ts'
import { listBackups, parseBackupName } from './backup-folder.ts'
import { insertBackupFailure, type RecentBackups, readRecentBackups } from './backup-repository.ts'
import { nextBackupTime, selectRetainedBackups } from './backup-schedule.ts'

const backupJob = 'back-up'

type BackupDeps = Pick<Deps, 'db' | 'log' | 'config'>
export type BackupTasks = { tasks: Tasks; plan: () => Promise<void>; close: () => void }

/**
 * Makes backups at the times in BACKUP_AT, in one of the server processes that have the setting.
 * `command` runs in a child process, because a backup takes longer than a job may; the job starts
 * it and polls.
 */
export function createBackupTasks(deps: BackupDeps, command: URL): BackupTasks {
  const { backup } = deps.config
  if (!backup) return { tasks: {}, plan: async () => {}, close: () => {} }
  let running: AbortController | null = null

  async function run(): Promise<JobOutcome> {
    if (running || (await isBackupRunning(deps.db)))
      return { againInMs: pollMs, because: 'a backup is running' }
    const recent = await readRecentBackups(deps.db)
    const waitMs = dueInMs(recent, backup?.at ?? [])
    if (waitMs > 0) return { againInMs: waitMs }
    const ending = new AbortController()
    running = ending
    void runBackup(command, backup?.folder ?? '', ending.signal)
      .then((because) => (ending.signal.aborted ? undefined : recordResult(deps, because, recent.now)))
      .catch((error) => deps.log.error({ err: error }, 'the result of the backup could not be recorded'))
      .finally(() => {
        running = null
      })
    return { againInMs: pollMs }
  }

  return {
    tasks: { [backupJob]: { places: 1, run } },
    plan: () => addJob(deps.db, backupJob, {}, { key: backupJob }),
    close: () => running?.abort(),
  }
}

const pollMs = 3_000
/** Delay between a failed backup and the next attempt. */
const retryMs = 15 * 60_000
/** The administrator gets an email for the first failure and for every 96th (about once a day). */
const emailEvery = 96

/** True while any process, including one started by hand, holds the backup lock. */
async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${sweepLockKey}) as free`,
  )
  return rows[0]?.free === false
}

function dueInMs({ now, lastComplete, lastFailed }: RecentBackups, at: readonly number[]): number {
  const due = lastComplete ? nextBackupTime(lastComplete, at).getTime() : 0
  const again =
    lastFailed && (!lastComplete || lastFailed > lastComplete) ? lastFailed.getTime() + retryMs : 0
  return Math.max(due, again) - now.getTime()
}

/** Resolves with the reason of the failure, or null when the backup was made. */
function runBackup(command: URL, folder: string, signal: AbortSignal): Promise<string | null> {
  const child = fork(command, [folder], {
    execArgv: loaderFor(command),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
  })
  let stderr = ''
  child.stderr?.on('data', (text) => {
    stderr = `${stderr}${text}`.slice(-1000)
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(code === 0 ? null : stderr.trim() || `it ended with code ${code}`))
  })
}

async function recordResult(deps: BackupDeps, because: string | null, startedAt: Date): Promise<void> {
  const { folder, keep: retention } = deps.config.backup ?? {
    folder: '',
    keep: { days: 0, weeks: 0, months: 0 },
  }
  if (because === null) {
    const removed = await removeOld(folder, retention)
    deps.log.info({ folder, removed }, 'the backup was made')
    return
  }
  deps.log.error({ folder, because }, 'the backup failed')
  const { lastFailed } = await readRecentBackups(deps.db)
  // A killed child process records no failure itself.
  if (!lastFailed || lastFailed < startedAt) await insertBackupFailure(deps.db, because)
  const { failures, lastComplete } = await readRecentBackups(deps.db)
  const { adminEmail } = deps.config
  if (adminEmail === null || failures % emailEvery !== 1) return
  await enqueueEmail(deps, deps.db, { id: null, email: adminEmail }, backupFailedEmail(because, lastComplete))
}

/** Deletes the backups that BACKUP_KEEP does not retain, and returns their names. */
async function removeOld(
  folder: string,
  retention: Parameters<typeof selectRetainedBackups>[1],
): Promise<string[]> {
  const found = (await listBackups(folder)).map((name) => ({
    name,
    moment: parseBackupName(name) ?? new Date(0),
  }))
  const stays = selectRetainedBackups(
    found.map(({ moment }) => moment),
    retention,
  )
  const old = found.filter(({ moment }) => !stays.has(moment)).map(({ name }) => name)
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true })
  return old
}

function backupFailedEmail(because: string, lastComplete: Date | null): EmailContent {
  const last = lastComplete
    ? sentence`The last backup was made at ${lastComplete.toISOString()}.`
    : sentence`There is no backup yet.`
  return {
    subject: sentence`A backup could not be made`,
    lines: [sentence`Keyturn will try again every 15 minutes. The reason was: ${because}`, last],
  }
}
