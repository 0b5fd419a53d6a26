import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { storedPackage1 } from '../../frozen/package-1/stored-package.ts'
import { cents } from '../../shared/money.ts'
import { buildPaper, type Paper, type PaperInput, type PaperLine } from './papers.ts'
import {
  type PaperworkKind,
  paperKinds,
  paperKindsOf,
  requiresOdometerDisclosure,
  stateRuleFor,
} from './rules.ts'
import { defaultStateRule, stateRules } from './state-rules.ts'

// R-deals-65
test('fills a bill of sale with the signed facts and leaves blanks for unknown ones', () => {
  const paper = buildPaper('bill-of-sale', aSituation())
  const text = textOf(paper)
  for (const words of [
    'Year: 2003',
    'Make: Honda',
    'Model: Accord EX',
    'Body type: Sedan',
    `VIN: ${signedDeal.car.vin}`,
    'Agreed price: $9,000',
    'Selma Sanders sells the car below to AutoNation',
    'This is the price in the agreement',
    'In Texas',
  ])
    expect(text).toContain(words)
  expect(blanksOf(paper).join()).toBe('License plate,Address,Address,Date of sale,Odometer reading,,')
  expect(signaturesOf(paper)).toEqual(['Selma Sanders', 'AutoNation'])
})

test('includes the signed loan and trade-ins, if there are any', () => {
  const plain = textOf(buildPaper('bill-of-sale', aSituation()))
  expect(plain).not.toContain('still owes')
  expect(plain).not.toContain('trade')
  const more = textOf(buildPaper('bill-of-sale', aSituation({ sellerOwes: true, trades: [aTrade] })))
  expect(more).toContain('still owes money on this car')
  expect(more).toContain('The buyer trades in: 2012 Ford Focus, VIN 1FAHP3F20CL000001. That')
})

test('takes the loan from the signed terms, not from the car', () => {
  const owed = (sellerOwes: boolean | undefined, payoff: boolean) =>
    textOf(buildPaper('bill-of-sale', aSituation({ sellerOwes }, { payoff }))).includes('still owes')
  expect([owed(false, true), owed(undefined, false)]).toEqual([false, false])
  expect([owed(true, false), owed(undefined, true)]).toEqual([true, true])
})

// 49 CFR 580.17
test.each([
  [2010, 2019, true],
  [2010, 2020, false],
  [2011, 2030, true],
  [2011, 2031, false],
  [2003, 2026, false],
  [2012, 2026, true],
  [2026, 2026, true],
])('requires the mileage of a car of %i sold in %i: %s', (modelYear, year, isDue) => {
  expect(requiresOdometerDisclosure(modelYear, year)).toBe(isDue)
  const text = textOf(
    buildPaper('odometer', { ...aSituation({}, { year: modelYear }), today: new Date(`${year}-06-01`) }),
  )
  expect(text.includes('is not exempt')).toBe(isDue)
  expect(text.includes('is exempt from')).toBe(!isDue)
})

test('asks for everything that federal law requires on the odometer worksheet', () => {
  const paper = buildPaper('odometer', aSituation())
  expect(blanksOf(paper).join('; ')).toBe(
    'License plate; Reading in miles, no tenths; Address; Date of transfer; Address; Printed name',
  )
  expect(signaturesOf(paper)).toEqual([null, null])
  const text = textOf(paper)
  for (const words of [
    'Printed name: Selma Sanders',
    'Name: AutoNation',
    'beyond the mechanical limits',
    'ODOMETER DISCREPANCY',
    'fines or imprisonment',
    'The listing said 91,000 miles',
  ])
    expect(text).toContain(words)
  expect(paper.sources.map((line) => line.split(',')[0])).toEqual(['49 CFR 580.5', '49 CFR 580.17'])
})

test.each(stateRules)(
  'prints the release of liability of $name with its sources and their dates',
  (state) => {
    const paper = buildPaper('release', { ...aSituation(), state: state.code })
    const text = textOf(paper)
    for (const words of [state.agency, state.title, state.release, state.plates, ...state.more])
      expect(text).toContain(words)
    expect(text).not.toContain('most states')
    expect(paper.sources.length).toBeGreaterThan(0)
    for (const line of paper.sources)
      expect(line).toMatch(/, read \d\d\/\d\d\/20\d\d: https:\/\/[\w.]+(\.gov|\.com)\//)
  },
)

// R-deals-112
test('marks a source whose copy is more than a year old', () => {
  const sourcesOn = (today: string) =>
    buildPaper('release', { ...aSituation(), state: 'FL', today: new Date(today) }).sources
  expect(sourcesOn('2027-11-22').join()).not.toContain('more than a year old')
  for (const line of sourcesOn('2027-11-23')) expect(line).toContain(', which is more than a year old: https')
})

// R-deals-112
test('leaves the plates in Texas to the dealer, and takes both to the office for an electronic title in Florida', () => {
  const inState = (kind: PaperworkKind, state: string) => textOf(buildPaper(kind, { ...aSituation(), state }))
  expect(inState('release', 'TX')).toContain('the dealer who buys the car has to take them off')
  expect(inState('appointment', 'TX')).not.toContain('A tool to remove the plates')
  expect(inState('appointment', 'FL')).toContain('A tool to remove the plates')
  expect(inState('release', 'FL')).toContain(
    'you and the purchaser go to a motor vehicle service center together',
  )
})

// R-deals-112
test('names the states whose titles must be notarized', () => {
  const list =
    'Alaska, Arizona, Hawaii, Kentucky, Louisiana, Mississippi, Montana, Nevada, North Carolina, Ohio,'
  expect(textOf(buildPaper('appointment', aSituation()))).toContain(list)
  const ohio = buildPaper('release', { ...aSituation(), state: 'OH' })
  expect(textOf(ohio)).toContain('A title from Ohio must be notarized.')
  expect(ohio.sources.join()).toContain('New York State DMV')
  expect(textOf(buildPaper('release', { ...aSituation(), state: 'CO' }))).not.toContain('notary')
})

// R-deals-112
test('asks for a secure power of attorney where a lender holds a title, and for the Buyers Guide always', () => {
  const newer = { year: 2012 }
  for (const kind of ['odometer', 'appointment'] as const) {
    const [owed, free] = [true, false].map((sellerOwes) =>
      buildPaper(kind, aSituation({ sellerOwes }, newer)),
    )
    expect(textOf(owed as Paper)).toContain('secure power of attorney')
    expect(owed?.sources.join()).toContain('49 CFR 580.13')
    expect(textOf(free as Paper)).not.toContain('secure power of attorney')
  }
  const text = textOf(buildPaper('appointment', aSituation()))
  expect(text).toContain('The Buyers Guide of this car')
  expect(textOf(buildPaper('odometer', aSituation({}, newer)))).toContain('more than 16,000 pounds is exempt')
})

test('names no form and no deadline for an unknown state and for states without rules', () => {
  const other = textOf(buildPaper('release', { ...aSituation(), state: 'CO' }))
  expect(other).toContain('is in CO. We have no rules for that state')
  const unknown = textOf(buildPaper('release', { ...aSituation(), state: null }))
  expect(unknown).toContain('The listing has no ZIP code')
  for (const text of [other, unknown]) {
    expect(text).toContain(defaultStateRule.release)
    expect(text).not.toMatch(/within \d+|REG|HSMV|MV-/)
  }
  expect(stateRuleFor('CO').name).toBeNull()
  expect(new Set(stateRules.map(({ code }) => code)).size).toBe(stateRules.length)
})

test('derives the checklist from loan, trade-in and financing', () => {
  const plain = textOf(buildPaper('appointment', aSituation()))
  expect(plain).toContain('The title, not signed yet')
  expect(plain).toContain('A way to pay $9,000, before taxes')
  expect(plain).not.toMatch(/lender|trade-in|credit application/)
  const full = textOf(
    buildPaper(
      'appointment',
      aSituation({ sellerOwes: true, trades: [aTrade], leftToPay: cents(650_000) }, {}, { financing: aWish }),
    ),
  )
  expect(full).not.toContain('The title, not signed yet')
  for (const words of [
    'loan account number',
    '$6,500, which is left after the trade-in',
    'The trade-in (2012 Ford Focus',
    'requires for the credit application',
  ])
    expect(full).toContain(words)
  const covered = { trades: [aTrade], leftToPay: cents(-1_250_000) }
  expect(textOf(buildPaper('appointment', aSituation(covered)))).toContain(
    'A way to pay taxes and fees: the trade-in covers the price',
  )
})

test('asks for a title or a loan account for each trade-in, and adds no loan to the amount', () => {
  const [owed, cleared] = [aTrade, { ...aTrade, vin: '1FAHP3F20CL000002' }]
  const withTrades = JSON.parse(readFileSync(new URL('with-trades.json', golden), 'utf8'))
  const [packaged] = storedPackage1.parse(withTrades).trades
  if (!packaged) throw new Error('the golden package has no trade')
  const situation = aSituation(
    { trades: [owed, cleared], leftToPay: cents(400_000) },
    {},
    {
      trades: [
        { ...packaged, vin: owed.vin, payoff: true },
        { ...packaged, vin: cleared.vin, payoff: false },
      ],
    },
  )
  const text = textOf(buildPaper('appointment', situation))
  expect(text).toContain('VIN 1FAHP3F20CL000001): the car, its registration and every key')
  expect(text).toContain('VIN 1FAHP3F20CL000002): the car, its title, its registration and every key')
  expect(text.match(/lender’s name and the loan account number/g)).toHaveLength(1)
  expect(text).toContain('before taxes, fees and the loan on a trade-in')
})

test("lists the dealer's contact data when it is known", () => {
  const lead = (phone: string | null, hours: string | null) =>
    buildPaper('appointment', { ...aSituation(), dealer: { name: 'AutoNation', phone, hours } }).lead
  expect(lead(null, null)).toBe('For the day with AutoNation. Check off what is ready.')
  expect(lead('313-555-0100', null)).toContain('AutoNation: 313-555-0100. Check')
  expect(lead('313-555-0100', 'Mon to Fri')).toContain('AutoNation: 313-555-0100 (Mon to Fri). Check')
})

test('offers the release of liability only to the seller', () => {
  expect(paperKindsOf.SELLER).toEqual(paperKinds)
  expect(paperKindsOf.BUYER).toEqual(paperKinds.filter((kind) => kind !== 'release'))
})

const aTrade = { vin: '1FAHP3F20CL000001', year: 2012, make: 'Ford', model: 'Focus', value: cents(250_000) }
const aWish = {
  amount: cents(500_000),
  termMonths: 48,
  downPayment: cents(100_000),
  tradeValue: null,
  contactConsent: true,
}
type Deal = PaperInput['deal']
const golden = new URL('../../frozen/package-1/golden/without-trades.json', import.meta.url)
const { agreement, ...signedDeal } = storedPackage1.parse(JSON.parse(readFileSync(golden, 'utf8')))
// Terms of the first text version have no loan.
const { sellerOwes: _, ...signedTerms } = agreement.terms

const aSituation = (
  terms: Partial<Deal['agreement']['terms']> = {},
  car: Partial<Deal['car']> = {},
  deal: Partial<Deal> = {},
): PaperInput => ({
  deal: {
    ...signedDeal,
    car: { ...signedDeal.car, ...car },
    agreement: { ...agreement, terms: { ...signedTerms, ...terms } },
    ...deal,
  },
  seller: 'Selma Sanders',
  buyer: 'Basil Byrd',
  dealer: { name: 'AutoNation', phone: null, hours: null },
  state: 'TX',
  body: 'Sedan',
  today: new Date('2026-11-27'),
})

const linesOf = ({ parts }: Paper): PaperLine[] => parts.flatMap(({ lines }) => lines)
const textOf = (paper: Paper): string =>
  [
    paper.title,
    paper.lead,
    ...paper.parts.flatMap(({ title, lines }) => [
      title,
      ...lines.map((line) =>
        line.is === 'fact' ? `${line.label}: ${line.value}` : 'words' in line ? line.words : line.label,
      ),
    ]),
  ].join('\n')
const blanksOf = (paper: Paper): string[] =>
  linesOf(paper).flatMap((line) => (line.is === 'fact' && line.value === null ? [line.label] : []))
const signaturesOf = (paper: Paper): (string | null)[] =>
  linesOf(paper).flatMap((line) => (line.is === 'signature' ? [line.name] : []))
