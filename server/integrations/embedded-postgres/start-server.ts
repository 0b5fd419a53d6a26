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
import { StartupError } from '../../platform/startup/startup-error.ts'
import { runningProcess } from './running-process.ts'
import { type RunAs, type SupervisedProcess, superviseProcess } from './supervise-process.ts'

export type ClusterLocation = { dataDir: string; runAs: RunAs }
export type RunningServer = { socketFolder: string; child: SupervisedProcess }

/** Starts PostgreSQL on a cluster and waits until it accepts connections. */
export async function startServer(
  location: ClusterLocation,
  postgres: string,
  cluster: string,
  settings: Record<string, string>,
  scratchFolder = '',
): Promise<RunningServer> {
  const socketFolder = makeSocketFolder(location.runAs)
  const all = { ...defaultSettings, ...settings, unix_socket_directories: `"${socketFolder}"` }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openPostgresLog(location.dataDir)
  const child = superviseProcess([postgres, '-D', pathForPostgres(cluster, location.runAs), ...options], {
    cwd: cluster,
    runAs: location.runAs,
    output: log.descriptor,
    removeAtEnd: [socketFolder, scratchFolder],
  })
  closeSync(log.descriptor)
  let code: number | null = null
  child.ended.then(
    (ended) => {
      code = ended
    },
    (error) => {
      code = 1
      log.reason = () => String(error)
    },
  )
  while (!isReady(cluster, child.pid)) {
    if (code !== null) throw new StartupError(`PostgreSQL did not start: ${log.reason()} (${log.path})`)
    await wait(5)
  }
  child.unref()
  return { socketFolder, child }
}

/**
 * Returns the data folder's path for PostgreSQL. A parent folder may be closed to its user when
 * this process is root, so PostgreSQL is started inside the folder. Without /proc, the parents must
 * be open.
 */
export function pathForPostgres(cluster: string, runAs: RunAs): string {
  return runAs && process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

export function openPostgresLog(dataDir: string) {
  const path = join(dataDir, 'postgres.log')
  if (sizeOf(path) > 1_000_000) renameSync(path, `${path}.1`)
  const before = sizeOf(path)
  const descriptor = openSync(path, 'a', 0o600)
  // Files that root creates in a user's folder are given to that user, whose next start must be
  // able to write them.
  const { uid, gid } = statSync(dataDir)
  if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
  return {
    path,
    descriptor,
    /** The log line with the cause of the exit, without its time and process. */
    reason: () => {
      const lines = readFileSync(path).subarray(before).toString('utf8').trim().split('\n')
      const cause = lines.filter((line) => /FATAL|PANIC|error/i.test(line)).at(-1) ?? lines.at(-1) ?? ''
      return cause.replace(/^.*?\b(FATAL|PANIC|error): +/i, '') || 'it gave no reason'
    },
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Creates a folder for the socket: short, because a socket's path ends at 107 characters, and
 * accessible to the other user when this process is root.
 */
function makeSocketFolder(runAs: RunAs): string {
  const base = tmpdir()
  const folder = mkdtempSync(join(runAs || base.length > 70 ? '/tmp' : base, 'keyturn-'))
  if (runAs) chownSync(folder, runAs.uid, runAs.gid)
  return folder
}

/** The status is in the eighth line. An old file names a process with another parent. */
function isReady(cluster: string, parent: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return lines[7]?.trim() === 'ready' && runningProcess(Number(lines[0]))?.parent === parent
  } catch {
    return false
  }
}

/**
 * Returns the size of shared buffers in MB: a sixteenth of the memory this process may use, from 64
 * to 1024. PostgreSQL occupies only as much of it as it has read.
 */
export function sharedBuffersMb(machineBytes: number, allowedBytes: number): number {
  const mb = Math.min(machineBytes, allowedBytes || machineBytes) / 16 / 2 ** 20
  return Math.round(Math.min(1024, Math.max(64, mb)))
}

// Small enough for a laptop. Nothing replicates from this database, so it writes the smallest WAL
// that survives a crash. Its log omits errors that users can cause: such lines would contain
// addresses and names.
const defaultSettings = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: `${sharedBuffersMb(totalmem(), process.constrainedMemory())}MB`,
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
