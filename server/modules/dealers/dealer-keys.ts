import type { Config } from '../../config.ts'
import { decryptedByEither, type EncryptedColumn } from '../../platform/startup/session-secret.ts'
import { encrypted } from '../../shared/encrypted.ts'

type Secrets = Pick<Config, 'sessionSecret' | 'oldSessionSecret'>

const purpose = 'keyturn keys of dealers'

export const dealerKeysColumn: EncryptedColumn = { table: 'dealers', id: 'id', column: 'secrets', purpose }

/** A dealer's keys as they are stored: of no use to whoever has the table alone. */
export const sealKeys = (
  { sessionSecret }: Pick<Secrets, 'sessionSecret'>,
  keys: readonly string[],
): Buffer => encrypted(sessionSecret, purpose, Buffer.from(keys.join(' ')))

/** None where they were stored under another SESSION_SECRET: they have to be entered anew. */
export const openKeys = (secrets: Secrets, stored: Buffer): string[] =>
  decryptedByEither(secrets, purpose, stored)?.toString().split(' ') ?? []
