/** Certificate page of a signed agreement: parties, times, and how to check each part. */
export const certificateTexts = {
  title: 'Certificate of signatures',
  lead: 'Who signed the agreement on the pages before this one, when, and how every part of this file can be checked.',
  /** Refers to the whole PDF: used in each page footer and in a list of files. */
  scan: 'Check this agreement',
  code: 'QR code that leads to where this agreement is checked',
  number: 'Agreement number',
  car: 'Car',
  both: 'Signed by both',
  parties: { SELLER: 'Seller', BUYER: 'Buyer' },
  name: 'Name as signed',
  account: 'Account of',
  email: 'Email address',
  verified: (email: string, when: string) => `${email}, verified ${when}`,
  signedAt: 'Signed',
  signature: 'Signature, typed',
  consent: 'Consent to sign electronically',
  consentGiven: (version: string) => `Given, version ${version}`,
  consentMissing: 'None came with this signature',
  from: 'Signed from',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  network: (network: string) => `network ${network}`,
  unknown: 'Not known',
  digests: 'Digests (SHA-256)',
  sheetDigest: 'Sheet',
  signatureDigests: { SELLER: 'Seller’s signature', BUYER: 'Buyer’s signature' },
  packageDigest: 'Package',
  events: 'What happened',
  eventsLead: 'By the clock of Keyturn’s database, in UTC.',
  eventLine: ({ who, what, from, to }: { who: string; what: string; from?: string; to?: string }) =>
    `${who}: ${what}${to ? `: ${to}` : ''}${from ? ` (before: ${from})` : ''}`,
  log: 'Public log',
  logLead: (size: number) =>
    `Both signatures and the package are entries of a public log to which entries are only ever added. With the package it had ${size} entries, and this is its signed head:`,
  check: 'How to check this file',
  steps: ({ verify, origin, packageFile, proofFile }: Checked) => [
    `Scan the code, or open ${verify}. You need no account.`,
    `The file is sealed: a program that checks signatures in PDFs tells whether a single byte was changed since. The certificates of all seals are published at ${origin}/.well-known/keyturn-seal.`,
    `${packageFile} is attached to this file and holds all that was agreed. Its SHA-256 is the digest of the package.`,
    `${proofFile} is attached, too. It proves, with hashes as in RFC 6962, that the package and both signatures were in the log when it had the head above. The present head is at ${origin}/.well-known/keyturn-log.`,
  ],
  files: {
    package: 'All that was agreed and signed, as canonical JSON (RFC 8785)',
    proof: 'The head of the public log, and the proofs that the package and both signatures are in it',
  },
} as const
type Checked = { verify: string; origin: string; packageFile: string; proofFile: string }
