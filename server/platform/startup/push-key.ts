import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import { keptFile } from './data-folder.ts'
import { StartupError } from './start-refusal.ts'

/** Both halves in base64url, as browsers and their makers' services want them (RFC 8292). */
export type PushKey = { publicKey: string; privateKey: string }

const curve = 'prime256v1'

export function keptPushKey(dataDir: string): PushKey {
  const kept = keptFile(dataDir, 'push-key', madePushKey).toString('utf8').trim()
  return pushKeyOf(`${join(dataDir, 'push-key')} (which the next start makes anew once it is deleted)`, kept)
}

/** `where`: what to name to whoever has to mend it. */
export function pushKeyOf(where: string, privateKey: string): PushKey {
  const pair = createECDH(curve)
  try {
    const bytes = Buffer.from(privateKey, 'base64url')
    if (bytes.length !== 32) throw new Error('too short or too long')
    pair.setPrivateKey(bytes)
  } catch {
    throw new StartupError(`${where} is unfit: must be a private key of P-256, 43 characters in base64url`)
  }
  return { publicKey: pair.getPublicKey('base64url'), privateKey }
}

export function madePushKey(): Buffer {
  const pair = createECDH(curve)
  pair.generateKeys()
  // Without leading zeros it may be shorter than what it is read as.
  const whole = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex')
  return Buffer.from(`${whole.toString('base64url')}\n`)
}
