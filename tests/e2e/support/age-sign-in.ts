import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  clusterPath,
  databaseName,
  databaseUserName,
} from '../../../server/integrations/embedded-postgres/cluster.ts'
import { openDatabase } from '../../../server/platform/database/open-database.ts'

/** Moves the time of the last sign-in two days back in all sessions of this person. */
export async function ageSignIn(dataDir: string, address: string): Promise<void> {
  const database = openDatabase({
    host: socketFolderOf(clusterPath(dataDir)),
    port: 5432,
    database: databaseName,
    user: databaseUserName,
  })
  const statement = `update sessions set signed_in_at = signed_in_at - interval '2 days'
    where ended_at is null and user_id = (select id from users where email = $1)`
  try {
    const { rowCount } = await database.pool.query(statement, [address])
    if (!rowCount) throw new Error(`${address} is signed in nowhere`)
  } finally {
    await database.close()
  }
}

/** PostgreSQL writes its socket directory into the fifth line of this file. */
const socketFolderOf = (cluster: string): string =>
  readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
