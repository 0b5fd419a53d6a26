import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { padZip } from '../shared/fields.ts'
import { cents } from '../shared/money.ts'
import { explainCredit, formatTaxRate } from './credit-explanation.ts'
import { isTaxExempt, parseTaxRate, tradeCredit } from './tax.ts'
import { taxNoteOf, taxNotes } from './tax-notes.ts'

/**
 * R-trades-24, R-trades-25 and R-trades-26 on decimal text and whole numbers: the taxed part of the
 * price times the digits of the rate, rounded half up to the cent.
 */
function expectedCredit(priceCents: number, zip: string, rateText: string): number {
  const n = Number.parseInt(zip, 10)
  if (n >= 90001 && n <= 96162) return 0
  if (n >= 20101 && n <= 24658) return 0
  if (n >= 43001 && n <= 43086) return 0
  if (n >= 96701 && n <= 96899) return 0
  let taxed = priceCents
  if (n >= 48001 && n <= 49999 && priceCents > 1_000_000) taxed = 1_000_000
  const digits = rateText.slice(2)
  let product = String(BigInt(taxed) * BigInt(digits)).padStart(digits.length + 1, '0')
  const rest = product.slice(product.length - digits.length)
  product = product.slice(0, product.length - digits.length)
  return Number(product) + (Number(rest.charAt(0)) >= 5 ? 1 : 0)
}

const rateTexts = '0.00 0.0625 0.06 0.04225 0.06875 0.0725 0.062500 0.06625 0.999999'.split(' ')
const tenMillion = 1_000_000_000
/** Prices near half cents and near the cap. */
const edgePrices = [1, 2, 3, 8, 50, 99, 100, 999_999, 1_000_000, 1_000_001, 2_150_000, 1_000_000_000]
const allZips = Array.from({ length: 100_000 }, (_, number) => padZip(number))

const creditFor = (priceCents: number, zip: string, rate: string) =>
  tradeCredit(cents(priceCents), zip, parseTaxRate(rate))

describe('the credit equals an independent computation', () => {
  test('for every ZIP code from 00000 to 99999', () => {
    for (const [index, zip] of allZips.entries()) {
      const rate = rateTexts[index % rateTexts.length] ?? ''
      if (isTaxExempt(zip) !== (expectedCredit(100, zip, '0.5') === 0))
        expect.fail(`${zip} is exempt: ${isTaxExempt(zip)}`)
      for (const price of edgePrices)
        if (creditFor(price, zip, rate) !== expectedCredit(price, zip, rate))
          expect.fail(`${zip}, ${price} cents at ${rate}: ${creditFor(price, zip, rate)}`)
    }
  })

  const price = fc.oneof(
    fc.integer({ min: 1, max: tenMillion }),
    fc.integer({ min: 999_990, max: 1_000_010 }),
    fc.integer({ min: 1, max: 200 }),
  )
  const zip = fc.oneof(
    fc.integer({ min: 0, max: 99_999 }).map(padZip),
    fc
      .constantFrom(...[90001, 96162, 20101, 24658, 43001, 43086, 96701, 96899, 48001, 49999])
      .chain((edge) => fc.constantFrom(edge - 1, edge, edge + 1))
      .map(padZip),
  )
  const rate = fc
    .integer({ min: 0, max: 999_999 })
    .map((millionths) => `0.${String(millionths).padStart(6, '0')}`)

  test('for any price from one cent to ten million dollars at any rate', () => {
    fc.assert(
      fc.property(price, zip, rate, (given, place, at) => {
        expect(creditFor(given, place, at)).toBe(expectedCredit(given, place, at))
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('the rate in the response of the tax service (R-trades-28)', () => {
  test.each([
    ['0.0625', { numerator: 625n, denominator: 10_000n }],
    ['0.062500', { numerator: 62_500n, denominator: 1_000_000n }],
    ['.04', { numerator: 4n, denominator: 100n }],
    ['0', { numerator: 0n, denominator: 1n }],
    ['0.', { numerator: 0n, denominator: 1n }],
    [' 0.07 ', { numerator: 7n, denominator: 100n }],
    [0.04, { numerator: 4n, denominator: 100n }],
    ['6.25', null],
    ['1', null],
    ['-0.06', null],
    ['6%', null],
    ['1e-2', null],
    ['0,06', null],
    ['NaN', null],
    ['.', null],
    ['', null],
    ['This data is for premium subscribers only.', null],
    ['Unavailable', null],
    ['0.000000000001', { numerator: 1n, denominator: 1_000_000_000_000n }],
    ['0.0000000000001', null],
    [Number.NaN, null],
    [null, null],
    [undefined, null],
    [{}, null],
  ])('is read from %j', (text, rate) => {
    expect(parseTaxRate(text)).toEqual(rate)
  })

  test('is required for a credit, whatever the ZIP code', () => {
    for (const zip of ['10001', '48201', '90210']) expect(tradeCredit(cents(2_000_000), zip, null)).toBe(0)
  })
})

describe('ZIP codes are padded to five digits (R-trades-29)', () => {
  test.each([
    [2139, '02139'],
    ['501', '00501'],
    ['48201-1234', '48201'],
    ['482011234', '48201'],
    [' 90210 ', '90210'],
    [0, '00000'],
  ])('%j becomes %s', (given, padded) => {
    expect(padZip(given)).toBe(padded)
  })
})

describe('the displayed rate (R-trades-30)', () => {
  test.each([
    ['0.0625', '6.25%'],
    ['0.06', '6.00%'],
    ['0.06875', '6.88%'],
    ['0.04225', '4.23%'],
    ['0', '0.00%'],
    ['Unavailable', 'Unavailable'],
    ['Error', 'Error'],
    ['premium only', 'Unavailable'],
    [null, 'Unavailable'],
  ])('of %j is %s', (rate, shown) => {
    expect(formatTaxRate(rate)).toBe(shown)
  })
})

test.each([
  [
    'Michigan',
    '48201',
    '0.06',
    '48001 to 49999: only the first $10,000 counts | 6.00% | $10,000.00 × 6.00% | $600.00',
  ],
  ['California', '90210', '0.0725', '90001 to 96162: no credit | 7.25% | No credit in this range | $0.00'],
  [
    'another state',
    '10001',
    '0.04',
    'No special range: the whole price counts | 4.00% | $20,000.00 × 4.00% | $800.00',
  ],
  [
    'a missing rate',
    '10001',
    'Error',
    'No special range: the whole price counts | Error | No rate, no credit | $0.00',
  ],
])('explains the credit line by line for %s', (_, zip, rate, values) => {
  const { lines, credit, total } = explainCredit(cents(2_000_000), zip, rate)
  expect(lines.map(({ value }) => value).join(' | ')).toBe(`${zip} | ${values}`)
  expect(total).toBe(2_000_000 + credit)
})

// R-trades-40
test('notes in one sentence, with its source, what twelve places do instead', () => {
  expect(taxNotes.map(({ state }) => state).join(' ')).toBe('AL DC GA HI IA MD MI MS NC NM OH SC')
  for (const { sentence, source } of taxNotes) {
    expect(sentence).toMatch(/^[^!?]+[.]$/)
    expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(25)
    expect(source.url).toMatch(/^https:/)
    expect(source.name.length).toBeGreaterThan(10)
    if (source.read !== null) expect(source.read).toMatch(/^20\d\d-\d\d-\d\d$/)
  }
  expect([taxNoteOf('TX'), taxNoteOf(null)]).toEqual([null, null])
})
