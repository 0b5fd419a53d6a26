import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import {
  cosignedText,
  keyId,
  noteTypes,
  parseVerifier,
  type SignedNote,
  verifySignedNote,
} from '@keyturn/contract/shared/crypto/signed-note.ts'
import type { Config } from '../../../config.ts'
import { sha256 } from '../evidence-hashes.ts'

export type HeadKey = {
  /** The id of this key and log: the first four bytes of a note signature, in hexadecimal. */
  id: string
  /** The public key in its published form (c2sp.org/signed-note). */
  verifier: string
  /** Returns the text with its signature appended. */
  noteOf(text: string): string
  /** Returns the line that signs the text with a time in epoch seconds. */
  timeLineOf(text: string, time: number): string
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
  const publicKey = rawPublic(privateKey)
  const signer = signerOf(name, noteTypes.ed25519, publicKey)
  const timer = signerOf(name, noteTypes.cosignature, publicKey)
  const signatureOf = (text: string) => sign(null, Buffer.from(text), privateKey)
  return {
    id: signer.id,
    verifier: signer.verifier,
    noteOf: (text) => `${text}\n${signer.lineOf(signatureOf(text))}`,
    timeLineOf: (text, time) => {
      const seconds = Buffer.alloc(8)
      seconds.writeBigUInt64BE(BigInt(time))
      return timer.lineOf(seconds, signatureOf(cosignedText(time, text)))
    },
  }
}

/** Returns the published form of the same key for cosignatures, which have a time. */
export function toTimeVerifier(verifier: string): string {
  const key = parseVerifier(sha256, verifier)
  if (!key) throw new Error('The log has a key that is invalid')
  return signerOf(key.name, noteTypes.cosignature, Buffer.from(key.publicKey)).verifier
}

/** The form of a key for one type of signature. */
function signerOf(name: string, type: number, publicKey: Buffer) {
  const key = Buffer.concat([Buffer.of(type), publicKey])
  const id = keyId(sha256, name, key)
  return {
    id,
    verifier: `${name}+${id}+${key.toString('base64')}`,
    lineOf: (...parts: readonly Buffer[]) =>
      `— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), ...parts]).toString('base64')}\n`,
  }
}

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

function isSignedByEd25519(publicKey: Uint8Array, signature: Uint8Array, text: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' })
  return verify(null, text, key, signature)
}

/** Returns the note when known keys signed it; null otherwise. */
export const verifyNote = (verifiers: readonly string[], note: string): Promise<SignedNote | null> =>
  verifySignedNote(noteTools, verifiers, note)

export const noteTools = {
  hash: sha256,
  isSignedByEd25519: async (...signed: Parameters<typeof isSignedByEd25519>) => isSignedByEd25519(...signed),
}
