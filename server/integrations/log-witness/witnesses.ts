import { createHash } from 'node:crypto'
import { noteTypes, parseVerifier } from '@keyturn/contract/shared/crypto/signed-note.ts'

/** Cosigns heads of the log; `url` is its submission prefix (c2sp.org/tlog-witness). */
export type Witness = { name: string; verifier: string; url: string }

/** Parses `LOG_WITNESSES`, keys and URLs separated by spaces; null when it is invalid. */
export function parseWitnesses(text: string): Witness[] | null {
  const witnesses = text.split(',').map((one) => {
    const [given = '', url = '', ...rest] = one.trim().split(/\s+/)
    const key = parseVerifier(sha256, given)
    if (key?.type !== noteTypes.cosignature || rest.length > 0 || !isPrefix(url)) return null
    return { name: key.name, verifier: given, url: url.replace(/\/+$/, ''), key }
  })
  const found = witnesses.flatMap((witness) => witness ?? [])
  const keys = new Set(found.map(({ key }) => Buffer.from(key.publicKey).toString('hex')))
  // The signed text does not contain the witness's name, so one key is one witness.
  return keys.size === witnesses.length ? found.map(({ key, ...witness }) => witness) : null
}

const sha256 = (...parts: readonly Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

function isPrefix(url: string): boolean {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false
  const { username, search, hash } = new URL(url)
  return `${username}${search}${hash}` === ''
}
