import { readFileSync } from 'node:fs'
import { headText, type LogProof, leafText } from '@keyturn/contract/agreements/evidence-log.ts'
import { type CheckName, verificationChecks } from '@keyturn/contract/agreements/verification/checks.ts'
import { describeReport } from '@keyturn/contract/agreements/verification/describe-report.ts'
import type { Evidence } from '@keyturn/contract/agreements/verification/evidence.ts'
import { openFile } from '@keyturn/contract/agreements/verification/open-file.ts'
import { runChecks, type VerificationOutcome } from '@keyturn/contract/agreements/verification/run-checks.ts'
import { verificationTexts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import type { storedPackage2 } from '@keyturn/contract/frozen/package-2/stored-package.ts'
import {
  computeRoot,
  consistencyProof,
  inclusionProof,
  leafHash,
  type MerkleNode,
  nodeHash,
  nodesCompletedBy,
} from '@keyturn/contract/shared/crypto/merkle.ts'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { packageHash, sha256 } from '../evidence-hashes.ts'
import { deriveHeadKey } from '../evidence-log/head-key.ts'
import { verificationTools } from './verification-tools.ts'

// The forger can change anything in a genuine agreement and makes everything else consistent with
// it. Each forgery is in one place, which one check alone detects.

const hex = (text: string) => sha256(text).toString('hex')
const publicUrl = new URL('https://keyturn.example')
const ours = deriveHeadKey({ publicUrl, evidenceKey: 'a secret of at least 32 characters' })
const another = deriveHeadKey({ publicUrl, evidenceKey: 'the secret of somebody who forges' })

const golden = (version: number, name: string) =>
  new URL(`../../../../contract/frozen/package-${version}/golden/${name}.json`, import.meta.url)
/** The package as it is sent, with prices in dollars. */
const aPackage = (version = 2, name = 'with-trades'): Package =>
  JSON.parse(readFileSync(golden(version, name), 'utf8'))
type Package = z.input<typeof storedPackage2>
const { car, agreement } = aPackage()
const [seller, buyer] = [agreement.seller.digest, agreement.buyer.digest]
const pictures = car.photos.map(({ id }) => id)

type Leaf = Pick<LogProof['rows'][number], 'kind' | 'digest'>

function treeOf(leaves: readonly Leaf[]) {
  const nodes = new Map<string, Uint8Array>()
  const of = ({ level, index }: MerkleNode) => nodes.get(`${level}/${index}`) ?? new Uint8Array()
  leaves.forEach(({ kind, digest }, at) => {
    for (const { level, index } of nodesCompletedBy(at)) {
      const below = (side: 0 | 1) => of({ level: level - 1, index: index * 2 + side })
      const leaf = leafHash(sha256, Buffer.from(leafText(kind, digest)))
      nodes.set(`${level}/${index}`, level === 0 ? leaf : nodeHash(sha256, below(0), below(1)))
    }
  })
  return of
}
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function headOf(leaves: readonly Leaf[], key = ours): LogProof['head'] {
  const size = leaves.length
  const root = base64(computeRoot(sha256, treeOf(leaves), size))
  return { size, root, note: key.noteOf(headText({ origin: 'keyturn.example/log', size, root })) }
}

/** Everything that a server would prove, seal and publish for this package. */
function evidenceOf(contents: Package, signed: readonly string[] = [seller, buyer], key = ours) {
  const leaves: Leaf[] = [
    ...signed.map((digest) => ({ kind: 'signature' as const, digest })),
    { kind: 'package' as const, digest: packageHash(contents).toString('hex') },
  ]
  const of = treeOf(leaves)
  const rows = leaves.map((leaf, place) => ({
    ...leaf,
    place,
    proof: inclusionProof(sha256, of, place, leaves.length).map(base64),
  }))
  const later = [...leaves, { kind: 'signature' as const, digest: hex('later') }]
  const proof = consistencyProof(sha256, treeOf(later), leaves.length, later.length).map(base64)
  const proven: LogProof = { head: headOf(leaves, key), key: key.verifier, rows }
  const evidence: Evidence = {
    contents: { ...contents, completed: true, completedAt, calledOff: false },
    proven,
    seal: sealed(),
    pictures,
    keys: [ours.verifier],
    certificates: [hex('an older certificate'), hex('our certificate')],
    growth: { proof, head: headOf(later) },
    status: { ...current, digest: leaves.at(-1)?.digest ?? '', proven },
  }
  return evidence
}

const completedAt = '2026-11-25T12:00:00.000Z'
const current = { state: 'stands', completedAt, calledOff: false, withoutContact: [] as string[] } as const
const sealed = (change: Partial<Evidence['seal']> = {}): Evidence['seal'] => ({
  valid: true,
  fingerprint: hex('our certificate'),
  stamp: { valid: true, at: completedAt, authority: 'An authority' },
  ...change,
})

const valid = () => evidenceOf(aPackage())
const forged = (change: (deal: Package) => unknown, signed?: readonly string[]) => {
  const deal = aPackage()
  change(deal)
  return evidenceOf(deal, signed)
}
const rewritten = (sheet: object) =>
  forged(({ agreement }) => {
    agreement.sheet = JSON.stringify(sheet)
    agreement.hash = hex(agreement.sheet)
  })
const withMore = (financing: unknown) => ({ ...valid(), contents: { ...aPackage(), financing } })
const withEnd = (end: object, status: object = {}) => ({
  ...valid(),
  contents: { ...aPackage(), completed: true, completedAt, calledOff: false, ...end },
  status: { ...current, digest: provenOf(valid()).rows.at(-1)?.digest ?? '', proven: null, ...status },
})
const inAgreement = (change: object) => forged(({ agreement }) => Object.assign(agreement, change))
const provenOf = (evidence: Evidence): LogProof => evidence.proven ?? { head: headOf([]), key: '', rows: [] }
const withProven = (change: (proven: LogProof) => Partial<LogProof>): Evidence => {
  const evidence = valid()
  const proven = provenOf(evidence)
  return { ...evidence, proven: { ...proven, ...change(proven) } }
}
const withHead = (change: (head: LogProof['head']) => Partial<LogProof['head']>) =>
  withProven(({ head }) => ({ head: { ...head, ...change(head) } }))
const withProofs = (change: (proof: readonly string[]) => string[]) =>
  withProven(({ rows }) => ({ rows: rows.map((row) => ({ ...row, proof: change(row.proof) })) }))
const grown = (
  change: Partial<LogProof['head']>,
  ofProof = (proof: readonly string[]) => [...proof],
): Evidence => {
  const evidence = valid()
  const { proof, head } = evidence.growth ?? { proof: [], head: headOf([]) }
  return { ...evidence, growth: { proof: ofProof(proof), head: { ...head, ...change } } }
}
const falseGrowth = headOf(['a', 'b', 'c', 'd'].map((word) => ({ kind: 'package', digest: hex(word) })))
const sheet = JSON.parse(agreement.sheet ?? '')
const withWords = (exclusivity: string, sellerName = sheet.terms.sellerName) =>
  rewritten({ terms: { ...sheet.terms, sellerName }, agreement: { ...sheet.agreement, exclusivity } })

/** For each check, a forgery that it alone detects. */
const forgeries: Record<CheckName, () => Evidence> = {
  seal: () => ({ ...valid(), seal: sealed({ valid: false }) }),
  certificate: () => ({ ...valid(), seal: sealed({ fingerprint: hex('a forger’s certificate') }) }),
  form: () => ({ ...forged((deal) => Object.assign(deal, { agreement: undefined })), pictures: [] }),
  sheet: () => inAgreement({ hash: hex('another sheet') }),
  terms: () => forged(({ agreement }) => Object.assign(agreement.terms, { sellerName: 'Somebody Else' })),
  words: () => withWords('The seller owes the buyer a boat.'),
  facts: () => forged((deal) => Object.assign(deal, { price: 90 })),
  photos: () => ({ ...valid(), pictures: [...pictures, hex('another car')] }),
  package: () => withMore({ amount: 1 }),
  signatures: () => evidenceOf(aPackage(), [seller, hex('seller of another car')]),
  leaves: () => withProofs((proof) => proof.toReversed()),
  head: () => ({ ...withHead(({ note }) => ({ note: note.replace('\n3\n', '\n4\n') })), growth: null }),
  key: () => evidenceOf(aPackage(), undefined, another),
  growth: () => grown(falseGrowth),
  number: () => ({ ...valid(), status: { ...current, digest: hex('another'), proven: null } }),
  end: () => withEnd({ completedAt: '2026-11-24T12:00:00.000Z' }),
}

const outcomeOf = async (evidence: Evidence, present?: Parameters<typeof runChecks>[2]) =>
  (await runChecks(evidence, verificationTools, present)).outcome

// R-deals-79
test('runs every check and finds an unchanged agreement valid', async () => {
  const { outcome, checked } = await runChecks(valid(), verificationTools)
  expect(outcome).toBe('valid')
  expect(checked.filter(({ verdict }) => verdict !== 'good')).toEqual([])
  expect(checked.map(({ name }) => name)).toEqual(verificationChecks.map(({ name }) => name))
})

// R-deals-89
test.each([
  [1, 'with-trades'],
  [1, 'without-trades'],
  [2, 'without-trades'],
])('finds the agreement of package %i %s valid', async (version, name) => {
  const deal = aPackage(version, name)
  const signed = [deal.agreement.seller.digest, deal.agreement.buyer.digest]
  const evidence = { ...evidenceOf(deal, signed), pictures: deal.car.photos.map(({ id }) => id) }
  const { checked } = await runChecks(evidence, verificationTools)
  expect(checked.filter(({ verdict }) => verdict === 'bad')).toEqual([])
})

// R-deals-79
describe('each check is needed', () => {
  test.each(verificationChecks.map(({ name }) => name))(
    '%s: its forgery is altered, and would be valid without this check',
    async (name) => {
      const evidence = forgeries[name]()
      const { outcome, checked } = await runChecks(evidence, verificationTools)
      expect(checked.filter(({ verdict }) => verdict === 'bad').map((each) => each.name)).toEqual([name])
      expect(outcome).toBe('altered')
      const others = verificationChecks.filter((check) => check.name !== name)
      expect(await outcomeOf(evidence, others)).toBe('valid')
    },
  )
})

/** Flips one bit of the signature; the note stays well formed. */
const withWrongSignature = (note: string) => {
  const at = note.lastIndexOf(' ') + 1
  const bytes = Buffer.from(note.slice(at), 'base64')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  return `${note.slice(0, at)}${bytes.toString('base64')}\n`
}

// R-deals-79
describe('each part of a check is needed', () => {
  const laterNote = valid().growth?.head.note ?? ''
  test.each<[CheckName[], string, () => Evidence]>([
    [['terms'], 'another version of the text', () => inAgreement({ textVersion: '2026-11-1' })],
    [['terms', 'words'], 'no terms and no words', () => rewritten({ terms: {}, agreement: null })],
    [['facts'], 'another car', () => forged(({ car }) => Object.assign(car, { vin: '2HGCM82633A004352' }))],
    [['facts'], 'another year', () => forged(({ car }) => Object.assign(car, { year: 2004 }))],
    [['facts'], 'fewer miles', () => forged(({ car }) => Object.assign(car, { mileage: 9_100 }))],
    [
      ['facts'],
      'a lower loan on the car',
      () => forged(({ car }) => Object.assign(car, { payoffAmount: 4000 })),
    ],
    [['facts'], 'another lender', () => forged(({ car }) => Object.assign(car, { lender: 'A Friend' }))],
    [
      ['facts'],
      'no loan on a trade',
      () => forged(({ trades }) => Object.assign(trades[0] ?? {}, { payoffAmount: null })),
    ],
    [['facts'], 'a trade less', () => forged((deal) => Object.assign(deal, { trades: [] }))],
    [['package'], 'more in it, as JSON', () => ({ ...withMore({ amount: 1 }), seal: null })],
    // RFC 8785 has no encoding for a lone surrogate.
    [['package'], 'half a character in it', () => withMore('\ud800')],
    [['terms', 'words'], 'half a character in terms and words', () => withWords('\ud800', '\ud800')],
    [
      ['signatures'],
      'the same one twice',
      () => inAgreement({ buyer: { ...agreement.buyer, digest: seller } }),
    ],
    [['leaves'], 'a proof that is not base64', () => withProofs((proof) => ['!', ...proof.slice(1)])],
    [['leaves'], 'a proof that is too long', () => withProofs((proof) => [...proof, ...proof])],
    [['leaves', 'head', 'growth'], 'a root that is not base64', () => withHead(() => ({ root: '!' }))],
    [['head'], 'the note of another head', () => withHead(() => ({ note: headOf([]).note }))],
    [
      ['head'],
      'a note with a wrong signature',
      () => withHead(({ note }) => ({ note: withWrongSignature(note) })),
    ],
    [['growth'], 'a proof of growth that is not base64', () => grown({}, (proof) => proof.with(-1, '!'))],
    [['growth'], 'a later root that is not base64', () => grown({ root: '!' })],
    [['growth'], 'a later head with a wrong signature', () => grown({ note: withWrongSignature(laterNote) })],
  ])('%j: %s', async (names, _, forge) => {
    const { checked } = await runChecks(forge(), verificationTools)
    expect(checked.filter(({ verdict }) => verdict === 'bad').map(({ name }) => name)).toEqual(names)
  })
})

const deleteEmail = (deal: Package) => Object.assign(deal.seller, { email: '' })

// R-deals-79
test.each<[string, Partial<Evidence>, VerificationOutcome]>([
  [
    'that the dealer canceled',
    { status: { ...current, state: 'cancelled', digest: '', proven: null } },
    'voided',
  ],
  [
    'that another one replaced',
    { status: { ...current, state: 'superseded', digest: '', proven: null } },
    'superseded',
  ],
  ['with an unknown number', { status: 'unknown' }, 'unknown'],
  ['that was checked offline', { status: null, growth: null }, 'valid'],
  ['with keys that were not compared', { keys: null, growth: null }, 'unproven'],
  ['with keys that were not compared, after the log has grown', { keys: null }, 'unproven'],
  ['with certificates that were not compared', { certificates: null }, 'unproven'],
  ['with a seal that cannot be checked here', { seal: { valid: null, fingerprint: null } }, 'unproven'],
  ['without a proof', { proven: null }, 'unproven'],
  ['that was packed after an account was deleted, as JSON', { ...forged(deleteEmail), seal: null }, 'valid'],
  ['to which something was added', { seal: sealed({ added: { bytes: 9, kind: 'data' } }) }, 'extended'],
  [
    'to which something was added, with a seal by somebody else',
    { seal: sealed({ added: { bytes: 9, kind: 'data' }, fingerprint: hex('another') }) },
    'altered',
  ],
])('returns the outcome of an agreement %s', async (_, change, expected) => {
  const evidence = { ...valid(), ...change }
  const { digest = '' } = provenOf(valid()).rows.at(-1) ?? {}
  if (evidence.status && evidence.status !== 'unknown' && evidence.status.digest === '')
    evidence.status.digest = digest
  expect(await outcomeOf(evidence)).toBe(expected)
})

// R-deals-106
test('is unproven without a deleted account’s contact data only if the server sends exactly this copy', async () => {
  const deal = aPackage()
  const without = { ...deal, seller: { ...deal.seller, email: '', phoneNumber: '' } }
  const sent = packageHash(without).toString('hex')
  const check = async (
    contents: unknown,
    withoutContact: string[] | undefined,
    seal: Evidence['seal'] = null,
  ) => {
    const evidence = evidenceOf(deal)
    const status = { ...current, digest: packageHash(deal).toString('hex'), proven: null, withoutContact }
    const report = await runChecks({ ...evidence, contents, seal, status }, verificationTools)
    return `${report.outcome} ${report.lacksContactData}`
  }
  expect(await check(without, [sent])).toBe('unproven true')
  // Saved before a status said it.
  expect(await check(without, undefined)).toBe('unproven false')
  expect(await check({ ...deal, price: 1 }, undefined)).toBe('altered false')
  // Nobody left, whatever the file says.
  expect(await check(without, [])).toBe('altered false')
  expect(await check({ ...without, price: 1 }, [sent])).toBe('altered false')
  expect(await check({ ...without, buyer: { ...deal.buyer, email: '' } }, [sent])).toBe('altered false')
  expect(await check(deal, [sent])).toBe('valid false')
  // A sealed file is complete.
  expect(await check(without, [sent], sealed())).toBe('altered false')
})

// R-deals-106
test.each<[string, object, object, VerificationOutcome]>([
  ['completed, which it was not', {}, { completedAt: null }, 'altered'],
  ['completed, without saying when', { completedAt: null }, {}, 'altered'],
  ['when it was completed, but not that', { completed: false }, {}, 'altered'],
  ['completed in other words', { completed: 'yes' }, {}, 'altered'],
  ['called off, which it was not', { calledOff: true }, {}, 'altered'],
  ['nothing, as before it was completed', { completed: false, completedAt: null }, {}, 'valid'],
  ['called off before a later agreement', { calledOff: true }, { state: 'superseded' }, 'superseded'],
  ['completed, to an earlier saved status', {}, { completedAt: undefined, calledOff: undefined }, 'valid'],
])('finds what the file says about the end of the sale: %s', async (_, end, status, outcome) => {
  expect(await outcomeOf(withEnd(end, status))).toBe(outcome)
})

// R-deals-106
test.each([
  [{ completed: false, completedAt: null }, {}, 'unchecked', 'was completed on 11/25/2026, 12:00 PM UTC'],
  [{}, { calledOff: true, state: 'cancelled' }, 'unchecked', null],
  [{}, {}, 'good', null],
])(
  'does not say that a copy stating %j matches our later records (%j)',
  async (end, status, verdict, words) => {
    const evidence = withEnd(end, status)
    const report = await runChecks(evidence, verificationTools)
    expect(report.checked.find(({ name }) => name === 'end')).toEqual({ name: 'end', verdict })
    const notes = describeReport(report, evidence).notes.join(' ')
    expect(notes.includes(words ?? 'was completed on')).toBe(words !== null)
  },
)

// R-deals-106
test.each([
  ['a key twice', (json: string) => json.replace('"price"', '"price":1,"price"'), 'altered'],
  [
    'a key twice, once escaped',
    (json: string) => json.replace('"price"', '"pric\\u0065":1,"price"'),
    'altered',
  ],
  ['a key twice deep inside', (json: string) => json.replace('"vin"', '"vin":"","vin"'), 'altered'],
  [
    'the same key in two objects and keys in text',
    (json: string) => json.replace('"Honda"', '"{\\"vin\\":1"'),
    'altered',
  ],
  ['nothing changed', (json: string) => json, 'valid'],
])('reads a package with %s', async (what, change, outcome) => {
  const opened = await openFile(Buffer.from(change(JSON.stringify(aPackage()))), null)
  if (opened.kind !== 'agreement') throw new Error('Not read as an agreement')
  expect(opened.contents === null).toBe(what.startsWith('a key twice'))
  expect(await outcomeOf({ ...valid(), contents: opened.contents, seal: null })).toBe(outcome)
})

// R-deals-106
test.each([
  [true, 'B-T', verificationTexts.stamped('11/25/2026, 12:00 PM UTC', 'An authority')],
  [false, 'B-B', verificationTexts.stampChanged],
  [null, 'B-B', verificationTexts.stampUnsupported],
] as const)('notes a time stamp whose validity is %s, and stays valid', async (isValid, level, note) => {
  const stamp = { valid: isValid, at: completedAt, authority: 'An authority' }
  const evidence = { ...valid(), seal: sealed({ sealedAt: completedAt, level, stamp }) }
  const report = await runChecks(evidence, verificationTools)
  expect(report.outcome).toBe('valid')
  expect(describeReport(report, evidence).notes).toEqual([expect.stringContaining(level), note])
})

// R-deals-106
test('says exactly what was not checked without the server', async () => {
  const evidence = { ...valid(), keys: null, certificates: null, growth: null, status: null, pictures: [] }
  const { notes } = describeReport(await runChecks(evidence, verificationTools), evidence)
  const { certificate, key, growth, number, end } = verificationTexts.checks
  const missing = [certificate, key, growth, number, end, verificationTexts.statusNotAsked]
  expect(notes.at(-1)).toBe(verificationTexts.notChecked(missing))
})

test('returns altered and does not throw, whatever the contents and notes look like', async () => {
  for (const contents of [null, 1, 'text', [], {}, { agreement: { sheet: '{' } }])
    expect(await outcomeOf({ ...valid(), contents })).toBe('altered')
  const broken = forged(({ agreement }) => Object.assign(agreement, { sheet: '{' }))
  expect(await outcomeOf(broken)).toBe('altered')
  for (const note of ['', 'keyturn.example/log', `\n— keyturn.example/log ${'A'.repeat(91)}=\n`])
    expect(await outcomeOf(withHead(() => ({ note })))).toBe('altered')
})
