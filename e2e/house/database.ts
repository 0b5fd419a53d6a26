import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterIn, databaseName, userName } from '../../server/db/embedded/cluster.ts'
import { openDatabase } from '../../server/db/open.ts'

/** What only time does, done to the product's own database: the last code mailed to an address has had its day. */
export async function expireCode(dataDir: string, address: string): Promise<void> {
  const database = openDatabase({
    host: socketFolderOf(clusterIn(dataDir)),
    port: 5432,
    database: databaseName,
    user: userName,
  })
  try {
    const { rowCount } = await database.pool.query(
      `update email_codes set expires_at = keyturn_now() where address = $1 and superseded_at is null and used_at is null`,
      [address],
    )
    if (rowCount !== 1) throw new Error(`${rowCount} codes for ${address} could expire`)
  } finally {
    await database.close()
  }
}

/** PostgreSQL writes where it listens into the fifth line of this file. */
const socketFolderOf = (cluster: string): string =>
  readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
