import {
  chownSync,
  closeSync,
  fchownSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../../platform/startup/start-refusal.ts'
import { type Kept, keep, type RunAs } from './keeper.ts'
import { runningProcess } from './processes.ts'

export type Place = { dataDir: string; runAs: RunAs }
export type RunningServer = { socketFolder: string; kept: Kept }

/** Starts PostgreSQL on a cluster and waits until it takes connections. */
export async function startServer(
  place: Place,
  postgres: string,
  cluster: string,
  settings: Record<string, string>,
  scratchFolder = '',
): Promise<RunningServer> {
  const socketFolder = makeSocketFolder(place.runAs)
  const all = { ...modest, ...settings, unix_socket_directories: `"${socketFolder}"` }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(place.dataDir)
  const kept = keep([postgres, '-D', asSeenInside(cluster, place.runAs), ...options], {
    cwd: cluster,
    runAs: place.runAs,
    output: log.descriptor,
    removeAtEnd: [socketFolder, scratchFolder],
  })
  closeSync(log.descriptor)
  let code: number | null = null
  kept.ended.then(
    (ended) => {
      code = ended
    },
    (error) => {
      code = 1
      log.reason = () => String(error)
    },
  )
  while (!isReady(cluster, kept.pid)) {
    if (code !== null) throw new StartupError(`PostgreSQL did not start: ${log.reason()} (${log.path})`)
    await wait(5)
  }
  kept.letGo()
  return { socketFolder, kept }
}

/**
 * What PostgreSQL calls its folder. As root we give it a folder that its own user may not reach by name, when a parent is
 * closed; it is started inside it and finds it there. Where there is no /proc the parents have to be open.
 */
export function asSeenInside(cluster: string, runAs: RunAs): string {
  return runAs && process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

export function openLog(dataDir: string) {
  const path = join(dataDir, 'postgres.log')
  if (sizeOf(path) > 1_000_000) renameSync(path, `${path}.1`)
  const before = sizeOf(path)
  const descriptor = openSync(path, 'a', 0o600)
  // What root writes into somebody's folder stays theirs: their next start must be able to write it too.
  const { uid, gid } = statSync(dataDir)
  if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
  return {
    path,
    descriptor,
    /** The line that says why it ended, without its time and process. */
    reason: () => {
      const lines = readFileSync(path).subarray(before).toString('utf8').trim().split('\n')
      const told = lines.filter((line) => /FATAL|PANIC|error/i.test(line)).at(-1) ?? lines.at(-1) ?? ''
      return told.replace(/^.*?\b(FATAL|PANIC|error): +/i, '') || 'it gave no reason'
    },
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Short, because a socket's path ends at 107 characters, and in reach of the other user when we are root. */
function makeSocketFolder(runAs: RunAs): string {
  const base = tmpdir()
  const folder = mkdtempSync(join(runAs || base.length > 70 ? '/tmp' : base, 'keyturn-'))
  if (runAs) chownSync(folder, runAs.uid, runAs.gid)
  return folder
}

/** PostgreSQL says so in the eighth line of this file. It may be an old one: then it names a process that is not ours. */
function isReady(cluster: string, keeper: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return lines[7]?.trim() === 'ready' && runningProcess(Number(lines[0]))?.parent === keeper
  } catch {
    return false
  }
}

/**
 * Memory for pages of the database, in MB: a sixteenth of what this process may use, within bounds. PostgreSQL takes of it only as
 * much as it has read.
 */
export function pagesMb(machineBytes: number, allowedBytes: number): number {
  const mb = Math.min(machineBytes, allowedBytes || machineBytes) / 16 / 2 ** 20
  return Math.round(Math.min(1024, Math.max(64, mb)))
}

// Small enough for a laptop beside other things. Nobody replicates from it, so it writes the least log that survives a
// crash. Its own log leaves out what a person can cause: such lines would carry addresses and names.
const modest = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: `${pagesMb(totalmem(), process.constrainedMemory())}MB`,
  io_method: 'sync',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  fsync: 'on',
}
