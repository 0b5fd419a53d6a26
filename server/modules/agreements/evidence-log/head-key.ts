import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readNote } from '@keyturn/contract/shared/crypto/signed-note.ts'
import type { Config } from '../../../config.ts'
import { sha256 } from '../evidence-hashes.ts'

export type HeadKey = {
  /** The id of this key and log: the first four bytes of a note signature, in hexadecimal. */
  id: string
  /** The public key in its published form (c2sp.org/signed-note). */
  verifier: string
  /** Returns the text with its signature appended. */
  noteOf(text: string): string
}

/** The first line of a head, which identifies the log. */
export const logOrigin = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl.host}/log`

type KeyConfig = Pick<Config, 'publicUrl' | 'evidenceKey'>
let cached: { name: string; secret: string; key: HeadKey } | undefined

/** Derives the Ed25519 key that signs heads from a secret; restoring the secret restores it. */
export function deriveHeadKey(config: KeyConfig): HeadKey {
  const [name, secret] = [logOrigin(config), config.evidenceKey]
  // Cached, because deriving it while the log is locked delays other writers.
  if (cached?.name !== name || cached.secret !== secret)
    cached = { name, secret, key: deriveKey(name, secret) }
  return cached.key
}

function deriveKey(name: string, secret: string): HeadKey {
  const privateKey = privateKeyOf(secret)
  const publicBytes = Buffer.concat([ed25519, rawPublic(privateKey)])
  const id = sha256(`${name}\n`, publicBytes).subarray(0, 4)
  return {
    id: id.toString('hex'),
    verifier: `${name}+${id.toString('hex')}+${publicBytes.toString('base64')}`,
    noteOf: (text) => {
      const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)])
      return `${text}\n— ${name} ${signature.toString('base64')}\n`
    },
  }
}

/** The algorithm number of Ed25519 in a signed note. */
const ed25519 = Buffer.from([1])

/** DER prefix of a 32-byte private key (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function privateKeyOf(secret: string): KeyObject {
  const seed = sha256('keyturn log key\n', secret)
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}

const rawPublic = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)

/** DER prefix of a 32-byte public key (RFC 8410). */
const spki = Buffer.from('302a300506032b6570032100', 'hex')

export function isSignedByEd25519(publicKey: Uint8Array, signature: Uint8Array, text: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' })
  return verify(null, text, key, signature)
}

export function isNoteSignedBy(verifier: string, note: string): boolean {
  const read = readNote(sha256, verifier, note)
  return read !== null && isSignedByEd25519(read.publicKey, read.signature, Buffer.from(read.text))
}
