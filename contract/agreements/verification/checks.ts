import { type Bytes, isConsistent, isSame, leafHash, rootFromInclusion } from '../../shared/crypto/merkle.ts'
import { fromBase64, hexOf, readNote } from '../../shared/crypto/signed-note.ts'
import { agreementOf } from '../agreement.ts'
import { headText, leafText } from '../evidence-log.ts'
import { readSheet } from '../sheet.ts'
import { type CheckedPackage, checkedPackage, type Evidence, packedPart, type Tools } from './evidence.ts'

/** `unchecked`: the data to check against is not available. */
export type Verdict = 'good' | 'bad' | 'unchecked'
type Check = {
  name: string
  /** True when the file counts as valid only if this check could run. */
  isNeeded: (evidence: Evidence) => boolean
  run: (evidence: Evidence, tools: Tools) => Verdict | Promise<Verdict>
}

const always = () => true
const ofPdf = ({ seal }: Evidence) => seal !== null
const whereGiven = () => false

/** All checks, in display order. A test removes each in turn. */
export const checks = [
  { name: 'seal', isNeeded: ofPdf, run: checkSeal },
  { name: 'certificate', isNeeded: ofPdf, run: checkCertificate },
  { name: 'form', isNeeded: always, run: ({ contents }) => said(read(contents) !== null) },
  { name: 'sheet', isNeeded: whereGiven, run: ofPackage(checkSheet) },
  { name: 'terms', isNeeded: whereGiven, run: ofPackage(checkTerms) },
  { name: 'words', isNeeded: whereGiven, run: ofPackage(checkWords) },
  { name: 'facts', isNeeded: whereGiven, run: ofPackage(checkFacts) },
  { name: 'photos', isNeeded: ({ pictures }) => pictures.length > 0, run: ofPackage(checkPhotos) },
  { name: 'package', isNeeded: always, run: checkPackage },
  { name: 'signatures', isNeeded: whereGiven, run: ofPackage(checkSignatures) },
  { name: 'leaves', isNeeded: always, run: checkLeaves },
  { name: 'head', isNeeded: always, run: checkHead },
  { name: 'key', isNeeded: always, run: checkKey },
  { name: 'growth', isNeeded: whereGiven, run: checkGrowth },
  { name: 'number', isNeeded: whereGiven, run: checkNumber },
] as const satisfies readonly Check[]
export type CheckName = (typeof checks)[number]['name']

const said = (isGood: boolean): Verdict => (isGood ? 'good' : 'bad')
const read = (contents: unknown): CheckedPackage | null => checkedPackage.safeParse(contents).data ?? null

/** Skips checks of something that is not a package: one failure is enough. */
function ofPackage(run: (deal: CheckedPackage, evidence: Evidence, tools: Tools) => Verdict): Check['run'] {
  return (evidence, tools) => {
    const deal = read(evidence.contents)
    return deal ? run(deal, evidence, tools) : 'unchecked'
  }
}

const hashOf = ({ hash }: Tools, text: string): string => hexOf(hash(new TextEncoder().encode(text)))

function checkSeal({ seal }: Evidence): Verdict {
  return seal && seal.valid !== null ? said(seal.valid) : 'unchecked'
}

/** The certificate must be ours: anyone can seal a changed file with their own key. */
function checkCertificate({ seal, certificates }: Evidence): Verdict {
  if (!seal || seal.valid === null || certificates === null) return 'unchecked'
  return said(certificates.some((each) => each === seal.fingerprint))
}

function checkSheet({ agreement }: CheckedPackage, _: Evidence, tools: Tools): Verdict {
  return said(hashOf(tools, agreement.sheet) === agreement.hash)
}

function checkTerms({ agreement }: CheckedPackage, _: Evidence, tools: Tools): Verdict {
  const { terms } = sheetIn(agreement.sheet)
  const isSameText = agreement.textVersion === agreement.terms.textVersion
  return said(isSameText && isSameJson(tools, terms, defined(agreement.terms)))
}

/** The sentences on the sheet must be those released under its version. */
function checkWords({ agreement }: CheckedPackage, _: Evidence, tools: Tools): Verdict {
  const { agreement: words } = sheetIn(agreement.sheet)
  const written = attempt(() => agreementOf(readSheet(agreement.sheet).terms))
  return said(written !== null && isSameJson(tools, words, defined(written)))
}

/** The data that a dealer's system reads must match the sheet. */
function checkFacts({ car, price, agreement: { terms } }: CheckedPackage): Verdict {
  const isSameCar = car.vin === terms.vin && car.year === terms.year && car.mileage === terms.mileage
  return said(isSameCar && Math.round(price * 100) === terms.price)
}

/** A photo's name is its SHA-256. */
function checkPhotos({ car }: CheckedPackage, { pictures }: Evidence): Verdict {
  if (pictures.length === 0) return 'unchecked'
  return said(pictures.every((digest) => car.photos.some(({ id }) => id === digest)))
}

/** Published copies omit people who deleted their account; a PDF never omits anything. */
function checkPackage(evidence: Evidence, tools: Tools): Verdict {
  const { contents, proven, seal } = evidence
  const row = proven?.rows.find(({ kind }) => kind === 'package')
  if (!row) return 'unchecked'
  const digest = attempt(() => hashOf(tools, tools.canonical(packedPart(contents))))
  const isSamePackage = digest === row.digest
  return isSamePackage || seal !== null || !leavesOut(contents) ? said(isSamePackage) : 'unchecked'
}

export function leavesOut(contents: unknown): boolean {
  const deal = read(contents)
  return deal !== null && (deal.seller.email === '' || deal.buyer.email === '')
}

/** The two signature rows in the proof must be those that the package names. */
function checkSignatures({ agreement }: CheckedPackage, { proven }: Evidence): Verdict {
  const named = [agreement.seller.digest, agreement.buyer.digest]
  if (!proven) return 'unchecked'
  const logged = proven.rows.filter(({ kind }) => kind === 'signature').map(({ digest }) => digest)
  const areLogged = named.every((digest) => logged.some((each) => each === digest))
  return said(new Set(named).size === 2 && areLogged)
}

function checkLeaves({ proven }: Evidence, { hash }: Tools): Verdict {
  if (!proven) return 'unchecked'
  const { size, root } = proven.head
  return said(
    proven.rows.every(({ kind, digest, place, proof }) => {
      const leaf = leafHash(hash, new TextEncoder().encode(leafText(kind, digest)))
      const parts = proof.map(fromBase64)
      if (!parts.every((part) => part !== null)) return false
      return isRoot(rootFromInclusion(hash, { leaf, index: place, size, proof: parts }), root)
    }),
  )
}

/** The signed note of the head must state this size and this root. */
async function checkHead({ proven }: Evidence, tools: Tools): Promise<Verdict> {
  return proven ? said(await isSignedHead(proven.head, [proven.key], tools)) : 'unchecked'
}

function checkKey({ proven, keys }: Evidence): Verdict {
  return proven && keys ? said(keys.includes(proven.key)) : 'unchecked'
}

/** The log at that head must be a prefix of the current log. */
async function checkGrowth({ proven, keys, growth }: Evidence, tools: Tools): Promise<Verdict> {
  if (!proven || !growth || !keys) return 'unchecked'
  const [older, newer] = [endOf(proven.head), endOf(growth.head)]
  const proof = growth.proof.map(fromBase64)
  if (!older || !newer || !proof.every((part) => part !== null)) return 'bad'
  const hasGrown = isConsistent(tools.hash, older, newer, proof)
  return said(hasGrown && (await isSignedHead(growth.head, keys, tools)))
}

/** The package stored under the agreement's number must be this one. */
function checkNumber({ proven, standing }: Evidence): Verdict {
  const row = proven?.rows.find(({ kind }) => kind === 'package')
  if (!row || !standing || standing === 'unknown') return 'unchecked'
  return said(row.digest === standing.digest)
}

type Head = { size: number; root: string; note: string }

async function isSignedHead({ size, root, note }: Head, verifiers: readonly string[], tools: Tools) {
  const [origin = ''] = note.split('\n', 1)
  for (const verifier of verifiers) {
    const signed = readNote(tools.hash, verifier, note)
    if (!signed || signed.text !== headText({ origin, size, root })) continue
    const text = new TextEncoder().encode(signed.text)
    if (await tools.isSignedByEd25519(signed.publicKey, signed.signature, text)) return true
  }
  return false
}

const isRoot = (made: Bytes | null, root: string): boolean => {
  const bytes = fromBase64(root)
  return made !== null && bytes !== null && isSame(made, bytes)
}

function endOf({ size, root }: Head): { size: number; root: Bytes } | null {
  const bytes = fromBase64(root)
  return bytes && { size, root: bytes }
}

function sheetIn(sheet: string): { terms?: unknown; agreement?: unknown } {
  return attempt(() => JSON.parse(sheet)) ?? {}
}

/** JSON without a canonical form, such as a lone surrogate, was never signed and equals nothing. */
const isSameJson = ({ canonical }: Tools, one: unknown, other: unknown): boolean =>
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
