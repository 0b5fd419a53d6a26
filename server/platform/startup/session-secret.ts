import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Config } from '../../config.ts'
import { decrypt, encrypt } from '../../shared/encryption.ts'
import { withoutTimeouts } from '../database/without-timeouts.ts'
import { StartupError } from './startup-error.ts'

/** A column whose values are encrypted with SESSION_SECRET, all for the same purpose. */
export type EncryptedColumn = { table: string; id: string; column: string; purpose: string }

type Secrets = Pick<Config, 'sessionSecret' | 'oldSessionSecret'>
type Row = { name: string; encrypted: Buffer }

/** A row that every database has, regardless of the keys in its settings. */
const ownRow = 'session-secret'
const plaintext = Buffer.from('keyturn')

export const encryptionPurpose = (name: string): string => `keyturn ${name}`

/**
 * Checks that this server has the SESSION_SECRET of its database (R-everywhere-46); throws a
 * `StartupError` if not. If the database still uses SESSION_SECRET_OLD, re-encrypts everything
 * stored with it and returns true.
 */
export async function checkSessionSecret(
  pool: pg.Pool,
  secrets: Secrets,
  columns: readonly EncryptedColumn[],
): Promise<boolean> {
  return withoutTimeouts(pool, async (client) => {
    await client.query('begin; lock table server_keys in share row exclusive mode')
    const { rows } = await client.query<Row>('select name, encrypted from server_keys')
    let isRotated = false
    for (const row of rows) {
      const purpose = encryptionPurpose(row.name)
      if (decrypt(secrets.sessionSecret, purpose, row.encrypted)) continue
      const update = 'update server_keys set encrypted = $2 where name = $1'
      await client.query(update, [row.name, reencrypt(secrets, purpose, row.encrypted)])
      isRotated = true
    }
    // A server that still has the old secret may have stored values with it in the meantime.
    if (isRotated || secrets.oldSessionSecret !== null)
      for (const column of columns) await reencryptColumn(client, secrets, column)
    await client.query(
      'insert into server_keys (name, encrypted, digest) values ($1, $2, $3) on conflict do nothing',
      [
        ownRow,
        encrypt(secrets.sessionSecret, encryptionPurpose(ownRow), plaintext),
        createHash('sha256').update(plaintext).digest(),
      ],
    )
    await client.query('commit')
    return isRotated
  })
}

async function reencryptColumn(client: pg.ClientBase, secrets: Secrets, of: EncryptedColumn): Promise<void> {
  const [table, id, column] = [of.table, of.id, of.column].map(pg.escapeIdentifier)
  const { rows } = await client.query<{ id: string; value: Buffer }>(
    `select ${id} as id, ${column} as value from ${table} where ${column} is not null for update`,
  )
  for (const row of rows) {
    if (decrypt(secrets.sessionSecret, of.purpose, row.value)) continue
    // Values of an earlier, lost secret stay unreadable but do not prevent the start.
    if (!decryptWithEitherSecret(secrets, of.purpose, row.value)) continue
    const update = `update ${table} set ${column} = $2 where ${id} = $1`
    await client.query(update, [row.id, reencrypt(secrets, of.purpose, row.value)])
  }
}

function reencrypt(secrets: Secrets, purpose: string, stored: Buffer): Buffer {
  const plain = decryptWithEitherSecret(secrets, purpose, stored)
  if (!plain) throw differentSecretError()
  return encrypt(secrets.sessionSecret, purpose, plain)
}

/** During a rotation, servers of one database store values with either secret. */
export const decryptWithEitherSecret = (
  { sessionSecret, oldSessionSecret }: Secrets,
  purpose: string,
  stored: Buffer,
): Buffer | null =>
  decrypt(sessionSecret, purpose, stored) ??
  (oldSessionSecret === null ? null : decrypt(oldSessionSecret, purpose, stored))

export const differentSecretError = (): StartupError =>
  new StartupError(
    'SESSION_SECRET differs from the one that this database uses. Set that one, or set SESSION_SECRET_OLD to it to rotate.',
  )
