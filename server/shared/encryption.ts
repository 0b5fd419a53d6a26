import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const [nonceBytes, tagBytes] = [12, 16]

/** Encrypts bytes (AES-256-GCM) with a key derived from a secret for one purpose. */
export function encrypt(secret: string, purpose: string, bytes: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), nonce)
  const inside = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), inside])
}

/** Returns null when the secret differs from the one that encrypted it. */
export function decrypt(secret: string, purpose: string, stored: Buffer): Buffer | null {
  const nonce = stored.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), nonce)
  decipher.setAuthTag(stored.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(stored.subarray(nonceBytes + tagBytes)), decipher.final()])
  } catch {
    return null
  }
}

const keyOf = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
