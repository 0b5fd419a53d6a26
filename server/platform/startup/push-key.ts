import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateFile } from './data-folder.ts'
import { StartupError } from './startup-error.ts'

/** VAPID key pair in base64url, the format of browsers and push services (RFC 8292). */
export type PushKey = { publicKey: string; privateKey: string }

const curve = 'prime256v1'

export function readOrCreatePushKey(dataDir: string): PushKey {
  const stored = readOrCreateFile(dataDir, 'push-key', createPushKey).toString('utf8').trim()
  return derivePushKey(
    `${join(dataDir, 'push-key')} (delete it to have the next start create a new one)`,
    stored,
  )
}

/** Derives the key pair from its private key. `where` names the source in the `StartupError`. */
export function derivePushKey(where: string, privateKey: string): PushKey {
  const pair = createECDH(curve)
  try {
    const bytes = Buffer.from(privateKey, 'base64url')
    if (bytes.length !== 32) throw new Error('too short or too long')
    pair.setPrivateKey(bytes)
  } catch {
    throw new StartupError(`${where} is invalid: must be a private key of P-256, 43 characters in base64url`)
  }
  return { publicKey: pair.getPublicKey('base64url'), privateKey }
}

export function createPushKey(): Buffer {
  const pair = createECDH(curve)
  pair.generateKeys()
  // The key may be shorter than 32 bytes, because leading zeros are omitted.
  const padded = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex')
  return Buffer.from(`${padded.toString('base64url')}\n`)
}
