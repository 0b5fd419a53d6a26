import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../server/db/open.ts'
import { clusterIn, databaseName, userName } from '../../server/embedded-postgres/cluster.ts'

/** Makes the last code mailed to this address expire, which otherwise only time can do. */
export const expireCode = (dataDir: string, address: string) =>
  change(
    dataDir,
    `update email_codes set expires_at = keyturn_now() where address = $1 and superseded_at is null and used_at is null`,
    address,
  )

/** As if the password had been typed two days ago, in every browser in which this person is signed in. */
export const ageSignIn = (dataDir: string, address: string) =>
  change(
    dataDir,
    `update sessions set signed_in_at = signed_in_at - interval '2 days'
     where ended_at is null and user_id = (select id from users where email = $1)`,
    address,
  )

/** As if 72 hours had passed since the seller of this car signed. */
export const endHold = (dataDir: string, vin: string) =>
  change(
    dataDir,
    `update deals set exclusive_until = keyturn_now()
     where exclusive_until is not null and car_id = (select id from cars where vin = $1)`,
    vin,
  )

async function change(dataDir: string, statement: string, of: string): Promise<void> {
  const database = openDatabase({
    host: socketFolderOf(clusterIn(dataDir)),
    port: 5432,
    database: databaseName,
    user: userName,
  })
  try {
    const { rowCount } = await database.pool.query(statement, [of])
    if (!rowCount) throw new Error(`nothing of ${of} was changed by ${statement}`)
  } finally {
    await database.close()
  }
}

/** PostgreSQL writes where it listens into the fifth line of this file. */
const socketFolderOf = (cluster: string): string =>
  readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
