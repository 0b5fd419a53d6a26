import type { Config } from '../../config.ts'
import { decrypted, encrypted } from '../../kit/encrypted.ts'

type Secret = Pick<Config, 'sessionSecret'>

const purpose = 'keyturn keys of dealers'

/** A dealer's keys as they are stored: of no use to whoever has the table alone. */
export const sealKeys = ({ sessionSecret }: Secret, keys: readonly string[]): Buffer =>
  encrypted(sessionSecret, purpose, Buffer.from(keys.join(' ')))

/** None where they were stored under another SESSION_SECRET: they have to be entered anew. */
export function openKeys({ sessionSecret }: Secret, stored: Buffer): string[] {
  return decrypted(sessionSecret, purpose, stored)?.toString().split(' ') ?? []
}
