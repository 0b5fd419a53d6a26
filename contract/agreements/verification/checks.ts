import { nameOwnText1 } from '../../frozen/own-agreement-1/sheet.ts'
import { nameOwnText2 } from '../../frozen/own-agreement-2/sheet.ts'
import {
  areBytesEqual,
  type Bytes,
  isConsistent,
  leafHash,
  rootFromInclusion,
} from '../../shared/crypto/merkle.ts'
import { fromBase64, toHex, verifySignedNote } from '../../shared/crypto/signed-note.ts'
import { buildAgreement } from '../agreement.ts'
import { headText, leafText } from '../evidence-log.ts'
import { decodeSheet } from '../sheet.ts'
import {
  type CheckedPackage,
  checkedPackage,
  digestedPart,
  type Evidence,
  responseOnlyFields,
  statedEnd,
  type VerificationTools,
} from './evidence.ts'

/** `unchecked`: the data to check against is not available. */
export type Verdict = 'good' | 'bad' | 'unchecked'
type Check = {
  name: string
  /** True when the file counts as valid only if this check could run. */
  isNeeded: (evidence: Evidence) => boolean
  /** False when the file has nothing to check. */
  applies: (evidence: Evidence) => boolean
  run: (evidence: Evidence, tools: VerificationTools) => Verdict | Promise<Verdict>
}

const always = () => true
const isPdf = ({ seal }: Evidence) => seal !== null
const hasPictures = ({ pictures }: Evidence) => pictures.length > 0
const never = () => false

/** All checks, in display order. A test removes each in turn. */
export const verificationChecks = [
  { name: 'seal', isNeeded: isPdf, applies: isPdf, run: checkSeal },
  { name: 'certificate', isNeeded: isPdf, applies: isPdf, run: checkCertificate },
  {
    name: 'form',
    isNeeded: always,
    applies: always,
    run: ({ contents }) => verdictOf(parsePackage(contents) !== null),
  },
  { name: 'sheet', isNeeded: never, applies: always, run: ofPackage(checkSheet) },
  { name: 'terms', isNeeded: never, applies: always, run: ofPackage(checkTerms) },
  { name: 'words', isNeeded: never, applies: always, run: ofPackage(checkWords) },
  { name: 'facts', isNeeded: never, applies: always, run: ofPackage(checkFacts) },
  { name: 'photos', isNeeded: hasPictures, applies: hasPictures, run: ofPackage(checkPhotos) },
  { name: 'package', isNeeded: always, applies: always, run: checkPackage },
  { name: 'signatures', isNeeded: never, applies: always, run: ofPackage(checkSignatures) },
  { name: 'leaves', isNeeded: always, applies: always, run: checkLeaves },
  { name: 'head', isNeeded: always, applies: always, run: checkHead },
  { name: 'key', isNeeded: always, applies: always, run: checkKey },
  { name: 'growth', isNeeded: never, applies: always, run: checkGrowth },
  { name: 'number', isNeeded: never, applies: always, run: checkNumber },
  { name: 'end', isNeeded: never, applies: statesEnd, run: checkEnd },
] as const satisfies readonly Check[]
export type CheckName = (typeof verificationChecks)[number]['name']

const verdictOf = (isGood: boolean): Verdict => (isGood ? 'good' : 'bad')
const parsePackage = (contents: unknown): CheckedPackage | null =>
  checkedPackage.safeParse(contents).data ?? null

/** Skips checks of something that is not a package: one failure is enough. */
function ofPackage(
  run: (deal: CheckedPackage, evidence: Evidence, tools: VerificationTools) => Verdict,
): Check['run'] {
  return (evidence, tools) => {
    const deal = parsePackage(evidence.contents)
    return deal ? run(deal, evidence, tools) : 'unchecked'
  }
}

const hashOf = ({ hash }: VerificationTools, text: string): string =>
  toHex(hash(new TextEncoder().encode(text)))

function checkSeal({ seal }: Evidence): Verdict {
  return seal && seal.valid !== null ? verdictOf(seal.valid) : 'unchecked'
}

/** The certificate must be ours: anyone can seal a changed file with their own key. */
function checkCertificate({ seal, certificates }: Evidence): Verdict {
  if (!seal || seal.valid === null || certificates === null) return 'unchecked'
  return verdictOf(certificates.some((each) => each === seal.fingerprint))
}

function checkSheet({ agreement }: CheckedPackage, _: Evidence, tools: VerificationTools): Verdict {
  return verdictOf(hashOf(tools, agreement.sheet) === agreement.hash)
}

function checkTerms({ agreement }: CheckedPackage, _: Evidence, tools: VerificationTools): Verdict {
  // Only the sheet contains the operator's own text.
  const terms = withoutWords(sheetIn(agreement.sheet).terms)
  const isSameText = agreement.textVersion === agreement.terms.textVersion
  return verdictOf(isSameText && isSameJson(tools, terms, defined(agreement.terms)))
}

function withoutWords(terms: unknown): unknown {
  if (typeof terms !== 'object' || terms === null) return terms
  return Object.fromEntries(Object.entries(terms).filter(([key]) => key !== 'words'))
}

/** The sentences on the sheet must be those released under its version, or those that it names. */
function checkWords({ agreement }: CheckedPackage, _: Evidence, tools: VerificationTools): Verdict {
  const { agreement: words } = sheetIn(agreement.sheet)
  const terms = attempt(() => decodeSheet(agreement.sheet).terms)
  const written = terms && attempt(() => buildAgreement(terms))
  if (terms?.words) {
    const digest = hashOf(tools, tools.canonical(terms.words))
    if (![nameOwnText1(digest), nameOwnText2(digest)].includes(terms.textVersion)) return 'bad'
  }
  return verdictOf(written !== null && isSameJson(tools, words, defined(written)))
}

/** The data that a dealer's system reads must match the sheet. */
function checkFacts({ car, price, trades = [], agreement: { terms } }: CheckedPackage): Verdict {
  const isSameCar = car.vin === terms.vin && car.year === terms.year && car.mileage === terms.mileage
  const stated = [
    { vin: terms.vin, payoffAmount: terms.sellerPayoffAmount, lender: terms.sellerLender },
    ...(terms.trades ?? []),
  ]
  const areSameLoans = stated.every((one) => {
    const packaged = [car, ...trades].find(({ vin }) => vin === one.vin)
    return one.lender === undefined || (packaged && isSameLoan(packaged, one))
  })
  return verdictOf(isSameCar && areSameLoans && Math.round(price * 100) === terms.price)
}

type Loan = { payoffAmount?: number | null | undefined; lender?: string | undefined }

/** `packaged` is in dollars, `stated` in cents. */
const isSameLoan = (packaged: Loan, stated: Loan): boolean =>
  packaged.lender === stated.lender &&
  (packaged.payoffAmount == null
    ? stated.payoffAmount == null
    : Math.round(packaged.payoffAmount * 100) === stated.payoffAmount)

/** A photo's name is its SHA-256. */
function checkPhotos({ car }: CheckedPackage, { pictures }: Evidence): Verdict {
  if (pictures.length === 0) return 'unchecked'
  return verdictOf(pictures.every((digest) => car.photos.some(({ id }) => id === digest)))
}

/**
 * A copy that is sent after an account was deleted lacks contact data, and the log does not prove
 * it. Only the server knows whether that happened, not the file.
 */
function checkPackage(evidence: Evidence, tools: VerificationTools): Verdict {
  const row = evidence.proven?.rows.find(({ kind }) => kind === 'package')
  if (!row) return 'unchecked'
  if (lacksContactData(evidence, tools)) return 'unchecked'
  if (packageDigest(evidence, tools) === row.digest) return 'good'
  return mayLackContactData(evidence) ? 'unchecked' : 'bad'
}

/** A status that was saved earlier does not say which copies without contact data are sent. */
function mayLackContactData({ contents, status, seal }: Evidence): boolean {
  if (!status || status === 'unknown' || status.withoutContact || seal !== null) return false
  const deal = parsePackage(contents)
  return deal?.seller.email === '' || deal?.buyer.email === ''
}

/** True for exactly the package that the server now sends, without the contact data of the log's. */
export function lacksContactData(evidence: Evidence, tools: VerificationTools): boolean {
  const { status, seal } = evidence
  const digest = packageDigest(evidence, tools)
  // A PDF never omits anything.
  if (!status || status === 'unknown' || digest === null || seal !== null) return false
  return status.withoutContact?.includes(digest) ?? false
}

const packageDigest = ({ contents }: Evidence, tools: VerificationTools): string | null =>
  attempt(() => hashOf(tools, tools.canonical(digestedPart(contents))))

/** The two signature rows in the proof must be those that the package names. */
function checkSignatures({ agreement }: CheckedPackage, { proven }: Evidence): Verdict {
  const named = [agreement.seller.digest, agreement.buyer.digest]
  if (!proven) return 'unchecked'
  const logged = proven.rows.filter(({ kind }) => kind === 'signature').map(({ digest }) => digest)
  const areLogged = named.every((digest) => logged.some((each) => each === digest))
  return verdictOf(new Set(named).size === 2 && areLogged)
}

function checkLeaves({ proven }: Evidence, { hash }: VerificationTools): Verdict {
  if (!proven) return 'unchecked'
  const { size, root } = proven.head
  return verdictOf(
    proven.rows.every(({ kind, digest, place, proof }) => {
      const leaf = leafHash(hash, new TextEncoder().encode(leafText(kind, digest)))
      const parts = proof.map(fromBase64)
      if (!parts.every((part) => part !== null)) return false
      return isRoot(rootFromInclusion(hash, { leaf, index: place, size, proof: parts }), root)
    }),
  )
}

/** The signed note of the head must state this size and this root. */
async function checkHead({ proven }: Evidence, tools: VerificationTools): Promise<Verdict> {
  return proven ? verdictOf(await isSignedHead(proven.head, [proven.key], tools)) : 'unchecked'
}

function checkKey({ proven, keys }: Evidence): Verdict {
  return proven && keys ? verdictOf(keys.includes(proven.key)) : 'unchecked'
}

/** The log at that head must be a prefix of the current log. */
async function checkGrowth({ proven, keys, growth }: Evidence, tools: VerificationTools): Promise<Verdict> {
  if (!proven || !growth || !keys) return 'unchecked'
  const [older, newer] = [endOf(proven.head), endOf(growth.head)]
  const proof = growth.proof.map(fromBase64)
  if (!older || !newer || !proof.every((part) => part !== null)) return 'bad'
  const hasGrown = isConsistent(tools.hash, older, newer, proof)
  return verdictOf(hasGrown && (await isSignedHead(growth.head, keys, tools)))
}

/** The package stored under the agreement's number must be the one in the file. */
function checkNumber({ proven, status }: Evidence): Verdict {
  const row = proven?.rows.find(({ kind }) => kind === 'package')
  if (!row || !status || status === 'unknown') return 'unchecked'
  return verdictOf(row.digest === status.digest)
}

/** How the sale ended is not part of the package that both signed, and only the server knows it. */
function statesEnd({ contents }: Pick<Evidence, 'contents'>): boolean {
  if (typeof contents !== 'object' || contents === null) return false
  return responseOnlyFields.some((field) => field in contents)
}

/** A copy from before the end is not wrong, but our records say more. */
function checkEnd({ contents, status }: Evidence): Verdict {
  if (!statesEnd({ contents }) || !status || status === 'unknown') return 'unchecked'
  const stated = statedEnd.safeParse(contents)
  if (!stated.success) return 'bad'
  const { completed, completedAt, calledOff } = stated.data
  if (completed !== (completedAt !== null)) return 'bad'
  if (completed && status.completedAt === undefined) return 'unchecked'
  if (calledOff && (status.calledOff === undefined || status.state === 'superseded')) return 'unchecked'
  if (completed && completedAt !== status.completedAt) return 'bad'
  if (calledOff && status.calledOff !== true) return 'bad'
  const isFromBefore = completedSince({ contents, status }) !== null || (status.calledOff && !calledOff)
  return isFromBefore ? 'unchecked' : 'good'
}

/** Returns when the sale was completed if the file says that it was not; null otherwise. */
export function completedSince({ contents, status }: Pick<Evidence, 'contents' | 'status'>): string | null {
  if (!statesEnd({ contents }) || !status || status === 'unknown') return null
  const isStated = statedEnd.safeParse(contents).data?.completed ?? true
  return isStated ? null : (status.completedAt ?? null)
}

type Head = { size: number; root: string; note: string }

async function isSignedHead(
  { size, root, note }: Head,
  verifiers: readonly string[],
  tools: VerificationTools,
) {
  const [origin = ''] = note.split('\n', 1)
  const signed = await verifySignedNote(tools, verifiers, note)
  return signed?.text === headText({ origin, size, root })
}

const isRoot = (made: Bytes | null, root: string): boolean => {
  const bytes = fromBase64(root)
  return made !== null && bytes !== null && areBytesEqual(made, bytes)
}

function endOf({ size, root }: Head): { size: number; root: Bytes } | null {
  const bytes = fromBase64(root)
  return bytes && { size, root: bytes }
}

function sheetIn(sheet: string): { terms?: unknown; agreement?: unknown } {
  return attempt(() => JSON.parse(sheet)) ?? {}
}

/** JSON without a canonical form, such as a lone surrogate, was never signed and equals nothing. */
const isSameJson = ({ canonical }: VerificationTools, one: unknown, other: unknown): boolean =>
  attempt(() => canonical(one) === canonical(other)) ?? false

/** Drops undefined properties, as JSON does. */
const defined = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function attempt<T>(make: () => T): T | null {
  try {
    return make()
  } catch {
    return null
  }
}
