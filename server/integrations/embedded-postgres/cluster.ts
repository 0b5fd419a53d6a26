import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../../platform/startup/startup-error.ts'
import type { Programs } from './find-programs.ts'
import { chownFolder, initdbUser } from './run-as.ts'
import { isPostgresOn, runningProcess } from './running-process.ts'
import { type ClusterLocation, openPostgresLog, pathForPostgres, startServer } from './start-server.ts'
import { superviseProcess } from './supervise-process.ts'

const supportedVersion = '18'
const names = { cluster: 'postgres', draft: 'postgres.new-', unfinished: 'postgres.unfinished-' }

export const databaseName = 'keyturn'
export const databaseUserName = 'keyturn'

export function clusterPath(dataDir: string): string {
  return join(dataDir, names.cluster)
}

/**
 * Creates the cluster at the first start. It is renamed into place once complete, so a cluster
 * under its final name is never partial.
 */
export async function createCluster(
  location: ClusterLocation,
  programs: Programs,
  synced: boolean,
  print: (line: string) => void,
  ending?: AbortSignal,
) {
  const cluster = clusterPath(location.dataDir)
  renameUnfinished(location.dataDir, print)
  if (existsSync(cluster)) return checkVersion(cluster)
  print('Creating the database (first start only)')
  const draft = join(location.dataDir, `${names.draft}${process.pid}`)
  mkdirSync(draft, { mode: 0o700 })
  try {
    await initialize(location, programs.initdb, draft, synced, ending)
    await createDatabase(location, programs.postgres, draft)
  } catch (error) {
    // The caller gave up seconds after the start: the draft has no data yet.
    if (ending?.aborted) rmSync(draft, { recursive: true, force: true })
    throw error
  }
  renameSync(draft, cluster)
  if (synced) syncFolder(location.dataDir)
}

/** Waits for a PostgreSQL that is shutting down because its owner was killed. */
export async function waitForEarlierServer(cluster: string, print: (line: string) => void): Promise<void> {
  const pid = readPostmasterPid(cluster)
  if (pid === null) return
  if (!isPostgresOn(pid, cluster)) return removeStalePid(cluster, pid)
  print(`Waiting for the PostgreSQL of an earlier start to end (process ${pid})`)
  for (let round = 0; isPostgresOn(pid, cluster) && runningProcess(pid); round++) {
    if (round === 600) {
      throw new StartupError(
        `PostgreSQL of an earlier start (process ${pid}) still uses ${cluster}: stop it first (kill -INT ${pid}).`,
      )
    }
    // The keeper is the parent of the postmaster and leads its process group. Without a keeper,
    // nothing else would end the postmaster.
    const postmaster = runningProcess(pid)
    if (postmaster && postmaster.parent !== postmaster.group && round % 100 === 0) process.kill(pid, 'SIGINT')
    await wait(50)
  }
}

/**
 * Removes a stale pid file. After a reboot the old pid may belong to another process, and
 * PostgreSQL would take that process for a postmaster.
 */
function removeStalePid(cluster: string, pid: number): void {
  const canSeeProcesses = runningProcess(process.pid) !== null
  if (canSeeProcesses && isPidUsed(pid)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function isPidUsed(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function readPostmasterPid(cluster: string): number | null {
  const path = join(cluster, 'postmaster.pid')
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : null
}

function checkVersion(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (version === supportedVersion) return
  throw new StartupError(
    `The database folder ${cluster} was created by PostgreSQL ${version}, this is ${supportedVersion}: move it away, or migrate its data with pg_dump.`,
  )
}

/** Renames unfinished files instead of deleting them, even those of an interrupted first start. */
function renameUnfinished(dataDir: string, print: (line: string) => void): void {
  const isComplete = existsSync(join(clusterPath(dataDir), 'PG_VERSION'))
  const unfinished = readdirSync(dataDir).filter(
    (name) => name.startsWith(names.draft) || (name === names.cluster && !isComplete),
  )
  for (const [location, name] of unfinished.entries()) {
    const aside = `${names.unfinished}${new Date().toISOString().replace(/[:.]/g, '-')}-${location}`
    renameSync(join(dataDir, name), join(dataDir, aside))
    print(`A first start was interrupted: its unfinished database is now in ${join(dataDir, aside)}`)
  }
}

async function initialize(
  location: ClusterLocation,
  initdb: string,
  draft: string,
  synced: boolean,
  ending: AbortSignal | undefined,
): Promise<void> {
  const runAs = initdbUser(location.runAs)
  chownFolder(draft, runAs)
  const log = openPostgresLog(location.dataDir)
  // PostgreSQL's built-in collation gives the same sort order on every machine and after every
  // system update.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = [
    `--username=${databaseUserName}`,
    '--auth=trust',
    '--no-clean',
    '--no-instructions',
    ...(synced ? [] : ['--no-sync']),
  ]
  const child = superviseProcess([initdb, '-D', pathForPostgres(draft, runAs), ...locale, ...options], {
    cwd: draft,
    runAs,
    output: log.descriptor,
  })
  closeSync(log.descriptor)
  const giveUp = () => void child.end()
  ending?.addEventListener('abort', giveUp, { once: true })
  const code = await child.ended
  ending?.removeEventListener('abort', giveUp)
  if (ending?.aborted) throw new StartupError('stopped while the database was being created')
  if (code !== 0)
    throw new StartupError(`PostgreSQL could not create its folder: ${log.reason()} (${log.path})`)
  chownFolder(draft, location.runAs)
  chmodSync(draft, 0o700)
}

async function createDatabase(location: ClusterLocation, postgres: string, draft: string): Promise<void> {
  const server = await startServer(location, postgres, draft, {})
  const client = new pg.Client({
    host: server.socketFolder,
    port: 5432,
    user: databaseUserName,
    database: 'postgres',
  })
  try {
    await client.connect()
    await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
    await server.child.end()
  }
}

/** Syncs the folder, because the new name must be on disk before the first write. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
