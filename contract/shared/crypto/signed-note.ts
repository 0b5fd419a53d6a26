import type { Bytes, HashFunction } from './merkle.ts'

// Signed texts such as the heads of logs (c2sp.org/signed-note, c2sp.org/tlog-cosignature). Pure:
// callers supply the cryptography.

type NoteTools = {
  /** SHA-256. */
  hash: HashFunction
  isSignedByEd25519(publicKey: Bytes, signature: Bytes, text: Bytes): Promise<boolean>
}

/** A signature of a known key; `time` in epoch seconds, null for a signature without one. */
type NoteSignature = { verifier: string; time: number | null; line: string }
export type SignedNote = { text: string; signatures: [NoteSignature, ...NoteSignature[]] }

/**
 * Returns the text and its signatures by known keys; lines of other keys are ignored. Null for what
 * is not a note, has no signature of a known key, or has one that is wrong.
 */
export async function verifySignedNote(
  { hash, isSignedByEd25519 }: NoteTools,
  verifiers: readonly string[],
  note: string,
): Promise<SignedNote | null> {
  const parsed = parseSignedNote(hash, verifiers, note)
  const [first, ...more] = parsed?.signed ?? []
  if (!parsed || !first) return null
  for (const { publicKey, signature, message } of parsed.signed)
    if (!(await isSignedByEd25519(publicKey, signature, new TextEncoder().encode(message)))) return null
  return { text: parsed.text, signatures: [first, ...more] }
}

type ParsedSignature = NoteSignature & { publicKey: Bytes; message: string; signature: Bytes }

function parseSignedNote(hash: HashFunction, verifiers: readonly string[], note: string) {
  const end = note.lastIndexOf('\n\n')
  const lines = note.slice(end + 2).split('\n')
  if (end < 0 || hasControlCharacters(note) || lines.pop() !== '' || lines.length > maxSignatures) return null
  const keys = verifiers.flatMap((verifier) => parseVerifier(hash, verifier) ?? [])
  const text = note.slice(0, end + 1)
  const signed: ParsedSignature[] = []
  for (const line of lines) {
    const [, name = '', encoded = ''] = /^— ([^+\s]+) (\S+)$/.exec(line) ?? []
    const bytes = fromBase64(encoded)
    if (!bytes || bytes.length < idBytes + 1) return null
    const id = toHex(bytes.subarray(0, idBytes))
    for (const key of keys.filter((one) => one.name === name && one.id === id)) {
      const parts = splitSignature(key.type, bytes.subarray(idBytes), text)
      if (!parts) return null
      signed.push({ verifier: key.verifier, publicKey: key.publicKey, ...parts, line })
    }
  }
  return { text, signed }
}

export type Verifier = { verifier: string; name: string; id: string; type: number; publicKey: Bytes }

/** Parses an Ed25519 key in its published form, `name+id+key`; null when it is invalid. */
export function parseVerifier(hash: HashFunction, verifier: string): Verifier | null {
  const [, name = '', id = '', key = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(verifier) ?? []
  const bytes = fromBase64(key)
  const type = bytes?.[0]
  if (bytes?.length !== 33 || (type !== noteTypes.ed25519 && type !== noteTypes.cosignature)) return null
  return keyId(hash, name, bytes) === id ? { verifier, name, id, type, publicKey: bytes.subarray(1) } : null
}

/** `key`: the type byte, then the public key. */
export const keyId = (hash: HashFunction, name: string, key: Bytes): string =>
  toHex(hash(new TextEncoder().encode(`${name}\n`), key).subarray(0, idBytes))

/** Signature types of Ed25519 keys: of the text alone, and of the text with a time. */
export const noteTypes = { ed25519: 1, cosignature: 4 } as const

/** The text that a cosignature signs; `time` in epoch seconds. */
export const cosignedText = (time: number, text: string): string => `cosignature/v1\ntime ${time}\n${text}`

function splitSignature(type: number, bytes: Bytes, text: string) {
  if (type === noteTypes.ed25519)
    return bytes.length === signatureBytes ? { message: text, signature: bytes, time: null } : null
  if (bytes.length !== timeBytes + signatureBytes) return null
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
  if (!Number.isSafeInteger(time)) return null
  return { message: cosignedText(time, text), signature: bytes.subarray(timeBytes), time }
}

const idBytes = 4
const timeBytes = 8
const signatureBytes = 64
/** The specification requires at least 16. */
const maxSignatures = 100

const hasControlCharacters = (note: string): boolean =>
  Array.from(note).some((letter) => letter < ' ' && letter !== '\n')

export const toHex = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Decodes base64; null unless it is in canonical form. */
export function fromBase64(text: string): Bytes | null {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    return btoa(String.fromCharCode(...bytes)) === text ? bytes : null
  } catch {
    return null
  }
}

/** Returns the signed text of a note, up to the empty line before its signatures. */
export const noteText = (note: string): string => note.slice(0, note.indexOf('\n\n') + 1)
