import { formatPlainDate } from '../../shared/dates.ts'

const followed = (bytes: number) =>
  bytes === 1 ? '1 byte follows it' : `${bytes.toLocaleString('en-US')} bytes follow it`

/** Results of a verification, on /verify and from `npm run verify`. */
export const verificationTexts = {
  title: 'Check a signed agreement',
  description: 'See whether an agreement is exactly as both people signed it. No account needed.',
  lead: 'See whether an agreement is exactly as both people signed it. You need no account.',
  files: {
    title: 'Check a file',
    hint: 'The signed PDF, or the package in JSON. You can add photos of the car.',
    choose: 'Choose files',
    drop: 'or drop them here',
    private:
      'Your files stay on this device. From them, we look up only the agreement number and its place in the published log.',
    needsScript:
      'Checking a file needs JavaScript, because the file stays on your device. The number below works without it.',
    checking: 'Checking…',
  },
  number: {
    title: 'Don’t have the file?',
    label: 'Agreement number',
    hint: '24 letters and digits, on the certificate at the end of the PDF. The QR code there brings you here with the number filled in.',
    submit: 'Look up',
  },
  standings: {
    stands: {
      title: 'This agreement is in effect',
      text: 'Both people signed it, and it was not called off. Check the file to see that yours is the same.',
    },
    cancelled: {
      title: 'The dealer called this sale off',
      text: 'Both people signed it, but the sale will not go through.',
    },
    superseded: {
      title: 'A later agreement replaced it',
      text: 'Both people signed it, and later signed another one for the same sale.',
    },
    unknown: {
      title: 'We don’t know this number',
      text: 'Check it for typos: it has 24 characters, digits and the letters a to f.',
    },
    digest: 'Digest of the package (SHA-256)',
    logged: (size: number) => `Published in our log, which then had ${size} entries.`,
    /** `at`: an ISO time. */
    cosigned: (witness: string, at: string) =>
      `We have a cosignature by ${witness}, dated ${formatPlainDate(at.slice(0, 10))}, ${at.slice(11, 16)} UTC. A witness checks that the log only grows.`,
  },
  outcomes: {
    valid: {
      title: 'Valid',
      text: 'This is the agreement as both people signed it. Nothing in it was changed.',
    },
    extended: {
      text: 'The sealed part of this file is the agreement as both people signed it. What was added does not belong to it, although a PDF reader may show it.',
    },
    altered: {
      title: 'Altered',
      text: 'Don’t rely on this file: it is not what both people signed.',
    },
    voided: {
      title: 'Called off',
      text: 'This is the agreement as both people signed it, but the dealer has called the sale off.',
    },
    superseded: {
      title: 'Replaced',
      text: 'This is an agreement as both people signed it, but they signed a later one for the same sale.',
    },
    unknown: {
      title: 'Not known here',
      text: 'We have no agreement with this number.',
    },
    unproven: {
      title: 'Not proven',
      text: 'We found nothing wrong but could not check everything needed to call it valid.',
    },
  },
  notAnAgreement: {
    picture: 'A picture by itself proves nothing. Check it together with its agreement.',
    brokenPdf: 'This PDF is not a signed agreement, or is no longer complete.',
    other: 'This is neither a signed PDF nor a package in JSON.',
    tooLarge: 'This file is too large for a signed agreement.',
  },
  validUpTo: (length: number) =>
    `Valid up to byte ${length.toLocaleString('en-US')}; something was added after it`,
  /** What follows the sealed part. */
  added: {
    signature: (bytes: number) =>
      `${followed(bytes)}: a later version of the file, with another signature. We checked neither.`,
    revision: (bytes: number) => `${followed(bytes)}: a later version of the file. We did not check it.`,
    data: (bytes: number) => `${followed(bytes)}. We did not check it.`,
  },
  sealed: (at: string, level: 'B-B' | 'B-T' | null) =>
    `The seal is dated ${at}${level === null ? '' : ` (PAdES ${level})`}.`,
  stamped: (at: string, authority: string) =>
    authority === ''
      ? `Time stamp of ${at} that names no authority; we did not check who issued it.`
      : `Time stamp of ${at} that names ${authority} as its authority; we did not check who issued it.`,
  stampChanged: 'Its time stamp was changed or belongs to something else, so it proves nothing.',
  stampUnsupported: 'We could not check its time stamp.',
  completedSince: (at: string) =>
    `Our records say the sale was completed on ${at}. This copy says it was not completed yet.`,
  notChecked: (sentences: readonly string[]) => `Not checked: ${sentences.join('; ')}.`,
  statusNotAsked: 'Whether the sale was called off or a later agreement replaced this one',
  leavesOut:
    'Contact details of a deleted account are missing and, if it was the buyer’s, messages on trade-ins. We have sent this copy since the deletion. The log proves only the complete one: check the signed PDF.',
  notAsked: 'We could not be reached. Try again to check the rest.',
  verdicts: { good: 'Passed', bad: 'Failed', unchecked: 'Not checked' },
  /** Each check's sentence when it passes. */
  checks: {
    seal: 'What the seal covers is unchanged',
    certificate: 'The seal is one of ours',
    form: 'The file is an agreement package, where no key occurs twice',
    sheet: 'The sheet’s digest is the one that was signed',
    terms: 'The terms match the sheet',
    words: 'The sheet’s sentences are those of the text version that it names',
    facts: 'The car and price match the sheet',
    photos: 'The photos are the ones both saw when they signed',
    package: 'The package is the one in the published log',
    signatures: 'Both signatures are the ones in the published log',
    leaves: 'The log’s proof matches its head',
    head: 'The log’s head is signed',
    key: 'The key that signed it is published',
    growth: 'The log has only grown since this agreement was added',
    number: 'We keep the same package under this number',
    end: 'What the file says about the end of the sale matches our records',
  },
  /** `npm run verify -- --heads`. */
  heads: {
    twoHeads: 'Pass exactly two heads after --heads.',
    head: ({ name, size, root }: { name: string; size: number; root: string }) =>
      `${name}: a head of ${countOf(size)}, root ${root}`,
    signature: (name: string, time: string | null) =>
      time === null ? `signed by ${name}` : `signed by ${name} at ${time}`,
    unsigned: (name: string) =>
      `${name}: not a head that one of the keys signed. Pass the saved keys with --keys.`,
    ownKeys:
      'The keys come from the heads themselves. Compare them with the published ones: pass their file with --keys.',
    headOfProof: 'the head of the saved proof',
    headOfTiles: 'the checkpoint beside the tiles',
    one: (older: NamedHead, newer: NamedHead) =>
      older.size === newer.size
        ? `One history: ${older.name} and ${newer.name} have the same ${countOf(older.size)}.`
        : `One history: ${newer.name} begins with the ${countOf(older.size)} of ${older.name}.`,
    two: (older: NamedHead, newer: NamedHead) =>
      `Two histories: ${newer.name} does not begin with the ${countOf(older.size)} of ${older.name}. The log signed both.`,
    unproven: ({ size }: NamedHead) =>
      `Not proven: save SITE/log/consistency/${size} and pass it with --keys, or pass the tiles with --tiles.`,
    differentKeys:
      'Not proven: different keys signed the two heads. Pass the published keys of the log with --keys.',
    differentLogs: (older: NamedHead & { origin: string }, newer: NamedHead & { origin: string }) =>
      `Not proven: ${older.name} is a head of ${older.origin}, and ${newer.name} is a head of ${newer.origin}. If the log moved, save SITE/log/consistency/${older.size} and pass it with --keys.`,
  },
  summary: (count: Record<'good' | 'bad' | 'unchecked', number>) =>
    [
      count.good === 1 ? '1 check passed' : `${count.good} checks passed`,
      count.bad > 0 && `${count.bad} failed`,
      count.unchecked > 0 && `${count.unchecked} not checked`,
    ]
      .filter(Boolean)
      .join(', '),
} as const

type NamedHead = { name: string; size: number }
const countOf = (size: number) => (size === 1 ? '1 entry' : `${size} entries`)
