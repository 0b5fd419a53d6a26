import { createHash } from 'node:crypto'
import { signatureColumns3 } from '@keyturn/contract/frozen/signature-3/signature-columns.ts'
import canonicalize from 'canonicalize'

/** How new signatures are hashed; the row says so in `hashed_as`. */
export const signatureHashVersion = 3

/** Over every column of the row but the hashes, after the hash before it: one changed byte shows. */
export function signatureHash(evidence: Record<string, unknown>, previousHash: Buffer | null): Buffer {
  const columns = signatureColumns3.map((column) => evidence[column] ?? null)
  return sha256(previousHash ?? '', JSON.stringify(columns))
}

/** Over the parts, one behind the other. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** Of a package in the one form that any program makes of the same JSON (RFC 8785): the database keeps keys in an order of its own. */
export const packageHash = (contents: unknown): Buffer => sha256(canonicalize(contents) ?? '')
