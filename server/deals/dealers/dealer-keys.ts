import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'

type Secret = Pick<Config, 'sessionSecret'>

const keyOf = ({ sessionSecret }: Secret) =>
  Buffer.from(hkdfSync('sha256', sessionSecret, '', 'keyturn keys of dealers', 32))
const [nonceBytes, tagBytes] = [12, 16]

/** A dealer's keys as they are stored: of no use to whoever has the table alone. */
export function sealKeys(config: Secret, keys: readonly string[]): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(config), nonce)
  const sealed = Buffer.concat([cipher.update(keys.join(' ')), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** None where they were stored under another SESSION_SECRET: they have to be entered anew. */
export function openKeys(config: Secret, stored: Buffer): string[] {
  const nonce = stored.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(config), nonce)
  decipher.setAuthTag(stored.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    const opened = Buffer.concat([decipher.update(stored.subarray(nonceBytes + tagBytes)), decipher.final()])
    return opened.toString().split(' ')
  } catch {
    return []
  }
}
