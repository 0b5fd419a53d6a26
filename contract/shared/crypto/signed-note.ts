import type { Bytes, Hash } from './merkle.ts'

// Texts with a signature below them, as logs sign their heads (c2sp.org/signed-note). Pure: who asks brings the hash, and checks the signature.

export type SignedNote = { text: string; signature: Bytes; publicKey: Bytes }

/** What has to be checked of a note by the key of this verifier; null where the note or the verifier is none, or they do not belong together. */
export function readNote(hash: Hash, verifier: string, note: string): SignedNote | null {
  const [, name = '', id = '', key = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(verifier) ?? []
  const keyBytes = fromBase64(key)
  const at = note.lastIndexOf(`\n— ${name} `)
  // A verifier that is none has no key.
  if (at < 0 || !keyBytes || keyBytes.length !== 33 || keyBytes[0] !== ed25519) return null
  const line = note.slice(at + name.length + 4)
  const signature = line.endsWith('\n') ? fromBase64(line.slice(0, -1)) : null
  const ownId = hexOf(hash(new TextEncoder().encode(`${name}\n`), keyBytes).subarray(0, 4))
  if (!signature || ownId !== id || hexOf(signature.subarray(0, 4)) !== id) return null
  return { text: note.slice(0, at), signature: signature.subarray(4), publicKey: keyBytes.subarray(1) }
}

/** The number that a signed note has for keys of this kind. */
const ed25519 = 1

export const hexOf = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Null where it is written in any other way than it would be written here. */
export function fromBase64(text: string): Bytes | null {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    return btoa(String.fromCharCode(...bytes)) === text ? bytes : null
  } catch {
    return null
  }
}
