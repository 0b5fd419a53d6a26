import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { decrypted, encrypted } from '../kit/encrypted.ts'
import { keptFile, readKept, setAside } from './data-folder.ts'
import { StartRefusal } from './start-refusal.ts'

/** Keys that a server makes by itself where no setting gives one; each is a file of this name in the data folder. */
export type SharedKey = 'evidence-key' | 'push-key' | 'seal.p12'

type Sharing = {
  pool: pg.Pool
  config: Pick<Config, 'dataDir' | 'sessionSecret'>
  name: SharedKey
  make: () => Buffer | Promise<Buffer>
  say: (line: string) => void
}

/**
 * Servers with one database have one key of each name (R-everywhere-46): whoever comes first puts it there, encrypted with the
 * secret that all of them have, and everybody keeps a copy in their own data folder.
 */
export async function shareKey({ pool, config, name, make, say }: Sharing): Promise<void> {
  const { dataDir, sessionSecret } = config
  const purpose = `keyturn ${name}`
  const own = readKept(dataDir, name)
  const row = (await find(pool, name)) ?? (await keepFirst(own ?? (await make())))
  const key = decrypted(sessionSecret, purpose, row.encrypted)
  if (key && own?.equals(key)) return
  if (key) {
    const aside = own && setAside(dataDir, name)
    if (aside) say(`${name} was another one than that of this database's servers: it now lies in ${aside}.`)
    keptFile(dataDir, name, () => key)
    return
  }
  if (!own || !digestOf(own).equals(row.digest))
    throw new StartRefusal(
      `SESSION_SECRET is another one than that of the servers which made this database's ${name}: set the same. Where it was changed, start first with the DATA_DIR that has that key.`,
    )
  await pool.query('update server_keys set encrypted = $2 where name = $1', [
    name,
    encrypted(sessionSecret, purpose, own),
  ])

  async function keepFirst(made: Buffer): Promise<Row> {
    await pool.query(
      'insert into server_keys (name, encrypted, digest) values ($1, $2, $3) on conflict do nothing',
      [name, encrypted(sessionSecret, purpose, made), digestOf(made)],
    )
    const first = await find(pool, name)
    if (!first) throw new Error(`${name} was not kept`)
    return first
  }
}

type Row = { encrypted: Buffer; digest: Buffer }

async function find(pool: pg.Pool, name: SharedKey): Promise<Row | undefined> {
  const { rows } = await pool.query<Row>('select encrypted, digest from server_keys where name = $1', [name])
  return rows[0]
}

const digestOf = (key: Buffer): Buffer => createHash('sha256').update(key).digest()
