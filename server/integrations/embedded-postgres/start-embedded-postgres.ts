import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../../platform/startup/startup-error.ts'
import {
  clusterPath,
  createCluster,
  databaseName,
  databaseUserName,
  waitForEarlierServer,
} from './cluster.ts'
import { findPrograms } from './find-programs.ts'
import { lockDataFolder } from './lock-data-folder.ts'
import { chownFolder, postgresUser } from './run-as.ts'
import { type RunningServer, startServer } from './start-server.ts'

export type EmbeddedOptions = {
  dataDir: string
  /** Receives one line for each slow or unusual step. */
  onProgress?: (line: string) => void
  /** PostgreSQL settings that override the defaults. */
  settings?: Record<string, string>
  /** For tests: no syncing to disk, and the data folder is removed at the end. */
  throwaway?: boolean
  /** Aborts the creation of a database. */
  ending?: AbortSignal
}

export type EmbeddedPostgres = {
  connection: { host: string; port: number; database: string; user: string }
  connectionString: string
  /** Resolves when PostgreSQL ends unexpectedly. */
  failed: Promise<string>
  stop(): Promise<void>
}

/**
 * Opens the PostgreSQL that npm installs, on a data folder of this server. It listens only on a
 * Unix socket and ends with this process. Throws `StartupError` when it cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const print = options.onProgress ?? (() => {})
  const dataDir = makeDataDir(options.dataDir)
  const release = lockDataFolder(dataDir)
  try {
    const cluster = clusterPath(dataDir)
    const location = { dataDir, runAs: postgresUser(cluster) }
    // PostgreSQL's keeper removes the folder at the end, and runs as this user.
    if (options.throwaway) chownFolder(dataDir, location.runAs)
    const programs = findPrograms(dataDir, location.runAs, print)
    await createCluster(location, programs, !options.throwaway, print, options.ending)
    await waitForEarlierServer(cluster, print)
    const settings = { ...(options.throwaway ? unsafeSettings : {}), ...options.settings }
    const scratch = options.throwaway ? dataDir : ''
    const server = await retryStart(() =>
      startServer(location, programs.postgres, cluster, settings, scratch),
    )
    return embedded(server, release)
  } catch (error) {
    release()
    throw error
  }
}

const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // Dropping a database or a table scans all shared buffers.
  shared_buffers: '64MB',
}

function embedded({ socketFolder, child }: RunningServer, release: () => void): EmbeddedPostgres {
  let stopping: Promise<void> | null = null
  const connection = { host: socketFolder, port: 5432, database: databaseName, user: databaseUserName }
  const stop = async () => {
    await child.end()
    release()
  }
  return {
    connection,
    connectionString: `postgresql://${databaseUserName}@${encodeURIComponent(socketFolder)}:5432/${databaseName}`,
    failed: new Promise((resolve) => {
      child.ended.then(
        (code) => stopping ?? resolve(`PostgreSQL ended unexpectedly (code ${code})`),
        (error) => resolve(String(error)),
      )
    }),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/**
 * Retries a start. After a postmaster was killed, its last sessions need a moment to notice, and
 * PostgreSQL does not wait.
 */
async function retryStart<T>(start: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await start()
    } catch (error) {
      const isTransient = error instanceof StartupError && /still in use/.test(error.message)
      if (!isTransient || round === 25) throw error
      await wait(200)
    }
  }
}

function makeDataDir(given: string): string {
  const path = resolve(given)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartupError(`The data folder ${path} cannot be used: ${why}`)
  }
}
