import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from '../../platform/startup/startup-error.ts'
import { clusterPath, databaseName, databaseUserName } from './cluster.ts'
import { isPostgresOn } from './running-process.ts'

/** Returns the connection to the running PostgreSQL of this folder; null when none runs. */
export function findRunningDatabase(
  dataDir: string,
): { host: string; database: string; user: string } | null {
  const folder = clusterPath(resolve(dataDir))
  if (!existsSync(folder)) throw new StartupError(`There is no database in ${resolve(dataDir)}.`)
  const cluster = realpathSync(folder)
  const path = join(cluster, 'postmaster.pid')
  if (!existsSync(path)) return null
  // PostgreSQL's own format: the pid in the first line, the folder of the socket in the fifth.
  const [pid = '', , , , socketFolder = ''] = readFileSync(path, 'utf8').split('\n')
  if (socketFolder === '' || !isPostgresOn(Number(pid), cluster)) return null
  return { host: socketFolder, database: databaseName, user: databaseUserName }
}
