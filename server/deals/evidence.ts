import { createHash } from 'node:crypto'

/** Over every column of the row but the hashes, in this order, after the hash before it: one changed byte shows. */
export function signatureHash(evidence: Record<string, unknown>, previousHash: Buffer | null): Buffer {
  return createHash('sha256')
    .update(previousHash ?? '')
    .update(JSON.stringify(signedColumns.map((column) => evidence[column] ?? null)))
    .digest()
}

const signedColumns = [
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

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
