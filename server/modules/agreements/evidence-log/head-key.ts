import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readNote } from '@keyturn/contract/shared/crypto/signed-note.ts'
import type { Config } from '../../../config.ts'
import { sha256 } from '../evidence.ts'

export type HeadKey = {
  /** Of this key and this log: the first four bytes of a signature in a note, in hexadecimal. */
  id: string
  /** The public key as others are given it (c2sp.org/signed-note). */
  verifier: string
  /** The text and its signature in one. */
  noteOf(text: string): string
}

/** What heads begin with: which log it is. */
export const originOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl.host}/log`

type Made = Pick<Config, 'publicUrl' | 'evidenceKey'>
let made: { name: string; secret: string; key: HeadKey } | undefined

/** The Ed25519 key that signs the heads: made of a secret, so that a copy of the secret is a copy of the key. */
export function headKeyOf(config: Made): HeadKey {
  const [name, secret] = [originOf(config), config.evidenceKey]
  // Made once: whoever needs it keeps others waiting for the log.
  if (made?.name !== name || made.secret !== secret) made = { name, secret, key: makeKey(name, secret) }
  return made.key
}

function makeKey(name: string, secret: string): HeadKey {
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

/** The signed note's number for Ed25519. */
const ed25519 = Buffer.from([1])

/** DER around the 32 bytes of a private key (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

function privateKeyOf(secret: string): KeyObject {
  const seed = sha256('keyturn log key\n', secret)
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}

const rawPublic = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)

/** DER around the 32 bytes of a public key (RFC 8410). */
const spki = Buffer.from('302a300506032b6570032100', 'hex')

export function isSignedByEd25519(publicKey: Uint8Array, signature: Uint8Array, text: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' })
  return verify(null, text, key, signature)
}

/** Whether the text of this note was signed with the key of this verifier. */
export function isSignedBy(verifier: string, note: string): boolean {
  const read = readNote(sha256, verifier, note)
  return read !== null && isSignedByEd25519(read.publicKey, read.signature, Buffer.from(read.text))
}
