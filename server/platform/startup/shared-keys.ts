import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { encrypt } from '../../shared/encryption.ts'
import { readDataFile, readOrCreateFile, renameStale } from './data-folder.ts'
import { decryptWithEitherSecret, differentSecretError, encryptionPurpose } from './session-secret.ts'

/** Keys that a server generates if not configured: files of these names in the data folder. */
export type SharedKey = 'evidence-key' | 'push-key' | 'seal.p12'

type ShareKeyOptions = {
  pool: pg.Pool
  config: Pick<Config, 'dataDir' | 'sessionSecret' | 'oldSessionSecret'>
  name: SharedKey
  make: () => Buffer | Promise<Buffer>
  print: (line: string) => void
}

/**
 * Gives all servers of a database the same key (R-everywhere-46). The first server stores it,
 * encrypted with SESSION_SECRET; every server keeps a copy in its data folder.
 */
export async function shareKey({ pool, config, name, make, print }: ShareKeyOptions): Promise<void> {
  const { dataDir, sessionSecret } = config
  const purpose = encryptionPurpose(name)
  const own = readDataFile(dataDir, name)
  const row = (await find(pool, name)) ?? (await storeFirst(own ?? (await make())))
  const key = decryptWithEitherSecret(config, purpose, row.encrypted)
  if (!key) throw differentSecretError()
  if (own?.equals(key)) return
  const stalePath = own && renameStale(dataDir, name)
  if (stalePath)
    print(
      `${name} differed from the one that the servers of this database share: it was moved to ${stalePath}.`,
    )
  readOrCreateFile(dataDir, name, () => key)

  async function storeFirst(created: Buffer): Promise<Row> {
    await pool.query(
      'insert into server_keys (name, encrypted, digest) values ($1, $2, $3) on conflict do nothing',
      [name, encrypt(sessionSecret, purpose, created), digestOf(created)],
    )
    const first = await find(pool, name)
    if (!first) throw new Error(`${name} was not stored`)
    return first
  }
}

type Row = { encrypted: Buffer }

async function find(pool: pg.Pool, name: SharedKey): Promise<Row | undefined> {
  const { rows } = await pool.query<Row>('select encrypted from server_keys where name = $1', [name])
  return rows[0]
}

const digestOf = (key: Buffer): Buffer => createHash('sha256').update(key).digest()
