import type { Config } from '../../config.ts'
import { decrypted, encrypted } from '../../kit/encrypted.ts'
import type { EncryptedColumn } from '../../start/session-secret.ts'

type Secrets = Pick<Config, 'sessionSecret' | 'oldSessionSecret'>

const purpose = 'keyturn keys of dealers'

export const dealerKeysColumn: EncryptedColumn = { table: 'dealers', id: 'id', column: 'secrets', purpose }

/** A dealer's keys as they are stored: of no use to whoever has the table alone. */
export const sealKeys = (
  { sessionSecret }: Pick<Secrets, 'sessionSecret'>,
  keys: readonly string[],
): Buffer => encrypted(sessionSecret, purpose, Buffer.from(keys.join(' ')))

/** None where they were stored under another SESSION_SECRET: they have to be entered anew. */
export function openKeys({ sessionSecret, oldSessionSecret }: Secrets, stored: Buffer): string[] {
  const keys =
    decrypted(sessionSecret, purpose, stored) ??
    (oldSessionSecret === null ? null : decrypted(oldSessionSecret, purpose, stored))
  return keys?.toString().split(' ') ?? []
}
