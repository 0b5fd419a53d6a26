import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

type Evidence = Record<string, unknown> & { hashedAs: 1 | 2 | 3 }

/** Over every column of the row but the hashes, in this order, after the hash before it: one changed byte shows. */
export function signatureHash(evidence: Evidence, previousHash: Buffer | null): Buffer {
  return createHash('sha256')
    .update(previousHash ?? '')
    .update(JSON.stringify(columnsOf[evidence.hashedAs].map((column) => evidence[column] ?? null)))
    .digest()
}

/** What the first signatures were given on: the facts, and the version of the text instead of its sentences. */
const factColumns = [
  'id',
  'dealId',
  'party',
  'signerId',
  'signerEmail',
  'signerVerifiedAt',
  'sessionId',
  'name',
  'signature',
  'carTermsVersion',
  'dealTermsVersion',
  'terms',
  'textVersion',
  'consentVersion',
  'signedAt',
  'ip',
  'userAgent',
] as const

/** What a row's digest covers, by what it was when the row was written. */
const columnsOf = {
  1: factColumns,
  2: [...factColumns, 'sheet'],
  3: [...factColumns, 'sheet', 'drawing'],
} as const

export const sha256 = (text: string | Uint8Array): Buffer => createHash('sha256').update(text).digest()

/** Of a package in the one form that any program makes of the same JSON (RFC 8785): the database keeps keys in an order of its own. */
export const packageHash = (contents: unknown): Buffer => sha256(canonicalize(contents) ?? '')

/** In a row that somebody has changed it may be anything. */
export const kindsOfHash = Object.keys(columnsOf).map(Number)
