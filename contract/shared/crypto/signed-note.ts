import type { Bytes, HashFunction } from './merkle.ts'

// Signed texts such as the heads of logs (c2sp.org/signed-note). Pure: callers supply the hash and
// verify the signature.

export type SignedNote = { text: string; signature: Bytes; publicKey: Bytes }

/** Returns the parts to verify; null when note or verifier is invalid or they do not match. */
export function readNote(hash: HashFunction, verifier: string, note: string): SignedNote | null {
  const [, name = '', id = '', key = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(verifier) ?? []
  const keyBytes = fromBase64(key)
  const at = note.lastIndexOf(`\n— ${name} `)
  // An invalid verifier has no key.
  if (at < 0 || !keyBytes || keyBytes.length !== 33 || keyBytes[0] !== ed25519) return null
  const line = note.slice(at + name.length + 4)
  const signature = line.endsWith('\n') ? fromBase64(line.slice(0, -1)) : null
  const ownId = toHex(hash(new TextEncoder().encode(`${name}\n`), keyBytes).subarray(0, 4))
  if (!signature || ownId !== id || toHex(signature.subarray(0, 4)) !== id) return null
  return { text: note.slice(0, at), signature: signature.subarray(4), publicKey: keyBytes.subarray(1) }
}

/** Algorithm number of this kind of key in a signed note. */
const ed25519 = 1

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
