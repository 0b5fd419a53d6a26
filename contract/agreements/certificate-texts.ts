/** Certificate page of a signed agreement: parties, times, and how to check each part. */
export const certificateTexts = {
  title: 'Certificate of signatures',
  lead: 'Shows who signed the agreement on the preceding pages, when, and how to check every part of this file.',
  /** Refers to the whole PDF: used in each page footer and in a list of files. */
  scan: 'Check this agreement',
  code: 'QR code of the page where this agreement can be checked',
  number: 'Agreement number',
  car: 'Car',
  both: 'Signed by both',
  parties: { SELLER: 'Seller', BUYER: 'Buyer' },
  name: 'Name as signed',
  account: 'Account of',
  email: 'Email address',
  verified: (email: string, when: string) => `${email}, verified ${when}`,
  authenticated: 'Authenticated',
  /** `at`: when the session began with the password or a passkey. */
  signIn: (signIn: { at: string | null; withPassword: boolean; withPasskey: boolean } | null) => {
    if (!signIn) return 'Signed in to the account with this email address; the time was not recorded'
    const passkey = 'a passkey of the account; the device verified the signer'
    if (signIn.at && signIn.withPasskey)
      return signIn.withPassword
        ? `By the account’s password, entered for this signature; signed in ${signIn.at} with ${passkey}`
        : `With ${passkey}; signed in ${signIn.at}`
    const began = signIn.at ? `signed in ${signIn.at}` : 'signed in by a link sent to this email address'
    if (signIn.withPassword) return `By the account’s password, entered for this signature; ${began}`
    return signIn.at
      ? `By the account’s password; ${began}`
      : `Signed in by a link sent to this email address`
  },
  shown: 'Sheet shown',
  fetched: 'Sheet fetched as a PDF',
  notRecorded: 'Not recorded',
  signedAt: 'Signed',
  signature: 'Signature, typed',
  consent: 'Consent to sign electronically',
  consentGiven: (when: string | null, version: string) =>
    `Given${when === null ? ', time not recorded' : ` ${when}`}, version ${version}`,
  consentMissing: 'None was given with this signature',
  from: 'Signed from',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  network: (network: string) => `network ${network}`,
  unknown: 'Not known',
  digests: 'Digests (SHA-256)',
  sheetDigest: 'Sheet',
  signatureDigests: { SELLER: 'Seller’s signature', BUYER: 'Buyer’s signature' },
  packageDigest: 'Package',
  events: 'What happened until both had signed',
  eventsLead: 'Times are from the clock of Keyturn’s database, in UTC.',
  eventLine: ({ who, what, from, to }: { who: string; what: string; from?: string; to?: string }) =>
    `${who}: ${what}${to ? `: ${to}` : ''}${from ? ` (before: ${from})` : ''}`,
  consentWords: (version: string) => `Words of the consent, version ${version}`,
  paperCopies: (address: string) => `Postal address for paper copies: ${address}`,
  log: 'Published log',
  logLead: (size: number) =>
    `Both signatures and the package are published as entries of a log. Once they were added, the log had ${size} entries. This is its signed head:`,
  check: 'How to check this file',
  steps: ({ verify, origin, packageFile, proofFile }: Checked) => [
    `Scan the code, or open ${verify}. You need no account.`,
    `The file is sealed: a program that checks PDF signatures shows whether anything that the seal covers has changed. The certificates of all seals are published at ${origin}/.well-known/keyturn-seal.`,
    `${packageFile} is attached to this file and contains everything that was agreed. Its SHA-256 is the digest of the package.`,
    `${proofFile} is also attached. It proves, with hashes as in RFC 6962, that the package and both signatures were in the log when it had the head above. The current head is at ${origin}/log/checkpoint, its keys at ${origin}/.well-known/keyturn-log.`,
  ],
  files: {
    package: 'Everything that was agreed and signed, as canonical JSON (RFC 8785)',
    proof: 'The head of the published log, and the proofs that the package and both signatures are in it',
  },
} as const
type Checked = { verify: string; origin: string; packageFile: string; proofFile: string }
