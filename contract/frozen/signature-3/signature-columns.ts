// What the digest of a signature's row covers, in this order, after the digest of the row before it. Released: never edited. A
// change is a new version (docs/how-to.md), which the row names in `hashed_as`.

export const signatureColumns3 = [
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
  'sheet',
  'drawing',
] as const
