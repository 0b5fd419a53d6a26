import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  clusterPath,
  databaseName,
  databaseUserName,
} from '../../../server/integrations/embedded-postgres/cluster.ts'
import { openDatabase } from '../../../server/platform/database/open-database.ts'

/** Moves the time of the last sign-in two days back in all sessions of this person. */
export const ageSignIn = (dataDir: string, address: string): Promise<void> =>
  age(
    dataDir,
    `update sessions set signed_in_at = signed_in_at - interval '2 days'
     where ended_at is null and user_id = (select id from users where email = $1)`,
    [address],
  )

/** Makes the newest sign-in of an administrator old enough to ask for the password again. */
export const ageAdministratorSignIn = (dataDir: string): Promise<void> =>
  age(
    dataDir,
    `update admin_sessions set signed_in_at = signed_in_at - interval '11 minutes'
     where id = (select id from admin_sessions where ended_at is null order by signed_in_at desc limit 1)`,
    [],
  )

async function age(dataDir: string, statement: string, values: string[]): Promise<void> {
  const database = openDatabase({
    host: socketFolderOf(clusterPath(dataDir)),
    port: 5432,
    database: databaseName,
    user: databaseUserName,
  })
  try {
    const { rowCount } = await database.pool.query(statement, values)
    if (!rowCount) throw new Error('There is no such session')
  } finally {
    await database.close()
  }
}

/** PostgreSQL writes its socket directory into the fifth line of this file. */
const socketFolderOf = (cluster: string): string =>
  readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
