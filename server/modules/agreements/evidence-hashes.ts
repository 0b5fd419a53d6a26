import { createHash } from 'node:crypto'
import { signatureColumns3 } from '@keyturn/contract/frozen/signature-3/signature-columns.ts'
import canonicalize from 'canonicalize'

/** The hash version of new signatures, stored in `hashed_as`. */
export const signatureHashVersion = 3

/** Hashes the columns of `signatureColumns3`, chained to the deal's previous signature. */
export function signatureHash(evidence: Record<string, unknown>, previousHash: Buffer | null): Buffer {
  const columns = signatureColumns3.map((column) => evidence[column] ?? null)
  return sha256(previousHash ?? '', JSON.stringify(columns))
}

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** Hashes a package's canonical JSON (RFC 8785), because the database reorders keys. */
export const packageHash = (contents: unknown): Buffer => sha256(canonicalize(contents) ?? '')
