import type { Config } from '../../config.ts'
import { decryptedByEither, type EncryptedColumn } from '../../platform/startup/session-secret.ts'
import { encrypted } from '../../shared/encrypted.ts'

type Secrets = Pick<Config, 'sessionSecret' | 'oldSessionSecret'>

const purpose = 'keyturn keys of dealers'

export const dealerKeysColumn: EncryptedColumn = { table: 'dealers', id: 'id', column: 'secrets', purpose }

/** Encrypts a dealer's keys, so that the table alone does not reveal them. */
export const encryptKeys = (
  { sessionSecret }: Pick<Secrets, 'sessionSecret'>,
  keys: readonly string[],
): Buffer => encrypted(sessionSecret, purpose, Buffer.from(keys.join(' ')))

/** Returns no keys when no configured SESSION_SECRET decrypts them; they must be entered again. */
export const decryptKeys = (secrets: Secrets, stored: Buffer): string[] =>
  decryptedByEither(secrets, purpose, stored)?.toString().split(' ') ?? []
