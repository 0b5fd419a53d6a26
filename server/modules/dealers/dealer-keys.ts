import type { Config } from '../../config.ts'
import { decryptWithEitherSecret, type EncryptedColumn } from '../../platform/startup/session-secret.ts'
import { encrypt } from '../../shared/encryption.ts'

type Secrets = Pick<Config, 'sessionSecret' | 'oldSessionSecret'>

const purpose = 'keyturn keys of dealers'

export const dealerKeysColumn: EncryptedColumn = { table: 'dealers', id: 'id', column: 'secrets', purpose }

/** Encrypts a dealer's keys, so that the table alone does not reveal them. */
export const encryptKeys = (
  { sessionSecret }: Pick<Secrets, 'sessionSecret'>,
  keys: readonly string[],
): Buffer => encrypt(sessionSecret, purpose, Buffer.from(keys.join(' ')))

/** Returns no keys if they were stored under another SESSION_SECRET; they must be entered again. */
export const decryptKeys = (secrets: Secrets, stored: Buffer): string[] =>
  decryptWithEitherSecret(secrets, purpose, stored)?.toString().split(' ') ?? []
