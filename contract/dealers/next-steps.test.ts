import { expect, test } from 'vitest'
import type { DealerStepName } from '../deals/rules.ts'
import { factsBeforeSigning, type NextStep, type NextStepFacts, nextSteps } from './next-steps.ts'

const dealer = { name: 'AutoNation', phone: '303 555 0142', hours: 'Mon to Sat, 9 to 6' }
type Sale = Parameters<typeof nextSteps>[1]
const sale: Sale = { dealer, sellerState: 'CO' }
const plain: NextStepFacts = { loan: false, trade: false, financing: false, ...factsBeforeSigning }
const stepsOf = (situation: Partial<NextStepFacts>, of = sale) => nextSteps({ ...plain, ...situation }, of)
const stepsText = (situation: Partial<NextStepFacts>, of = sale) =>
  stepsOf(situation, of)
    .map(({ what }) => what)
    .join('\n')

// R-deals-57
test('derives each party’s steps from the loan, the trade-in and the financing', () => {
  const doers = (situation: Partial<NextStepFacts>) => stepsOf(situation).map(({ by }) => by)
  const rest = ['DEALER', 'SELLER']
  expect(doers({})).toEqual(['DEALER', 'SELLER', 'BUYER', 'BOTH', ...rest])
  expect(doers({ loan: true })).toEqual(['DEALER', 'SELLER', 'BUYER', 'DEALER', 'LENDER', ...rest])
  expect(doers({ trade: true })).toEqual(['DEALER', 'SELLER', 'BUYER', 'BUYER', 'BOTH', ...rest])
  expect(doers({ financing: true })).toEqual(['DEALER', 'BUYER', 'SELLER', 'BUYER', 'BOTH', ...rest])
})

test('asks a seller with a loan for the loan account instead of the title, which follows the payoff', () => {
  expect(stepsText({})).toContain('the title, every key')
  expect(stepsText({})).not.toContain('loan')
  expect(stepsText({ loan: true })).not.toContain('the title, every key')
  expect(stepsText({ loan: true })).toContain('loan account number')
  expect(stepsText({ loan: true })).toContain('The seller’s loan is paid off first.')
  expect(stepsText({ loan: true })).toContain('Releases the title; only then can it pass to the buyer.')
  expect(stepsText({ loan: true })).not.toContain('Sign the title over there')
  expect(stepsText({})).toContain('The seller signs over the title at the appointment, not earlier.')
  expect(stepsText({})).not.toContain('lender')
})

test('tells each party what to bring to the appointment', () => {
  const brings = (by: NextStep['by'], situation: Partial<NextStepFacts> = {}) =>
    stepsOf(situation)
      .filter((step) => step.by === by && step.when === 'Bring to the appointment')
      .map(({ what }) => what)
  expect(brings('SELLER')).toEqual(['A photo ID, the title, every key and the registration.'])
  expect(brings('SELLER', { loan: true })).toEqual([
    expect.stringMatching(/^A photo ID, every key, the registration, and the lender’s name/),
  ])
  expect(brings('BUYER', { trade: true })).toEqual([
    expect.stringMatching(/^A photo ID and proof of insurance\. /),
    expect.stringMatching(/^The trade-in itself, its title, its registration and every key\. /),
  ])
})

test('mentions a trade-in and a loan only when the buyer has them', () => {
  expect(stepsText({})).not.toMatch(/trade-in|credit application/)
  expect(stepsText({ trade: true })).toContain('The trade-in itself')
  expect(stepsText({ financing: true })).toContain('Nothing is approved yet.')
})

test('shows the dealer’s number and hours only when they are configured', () => {
  expect(stepsText({})).toContain('Its number is 303 555 0142 (Mon to Sat, 9 to 6)')
  expect(stepsText({}, { ...sale, dealer: { ...dealer, hours: null } })).toContain(
    '303 555 0142. Call that number yourself',
  )
  expect(stepsText({}, { ...sale, dealer: { ...dealer, phone: null } })).not.toMatch(/number is|Mon to Sat/)
})

test('names the seller’s state when it is known', () => {
  expect(stepsText({})).toContain('the seller’s state (CO) must be told')
  expect(stepsText({}, { ...sale, sellerState: null })).toContain('the seller’s state must be told')
})

test('attributes the dealer’s decisions to the dealer, and promises no deadline or amount itself', () => {
  for (const loan of [true, false])
    for (const { by, when, what } of stepsOf({ loan, trade: true, financing: true })) {
      expect(`${when} ${what}`).not.toMatch(/\$|\bhours?\b|\bdays\b|\bwithin\b|\bguarantee/i)
      if (by === 'DEALER')
        expect(`${when} ${what}`).toMatch(/AutoNation (says|decides|arranges|will)|up to AutoNation/)
    }
})

const at = '2026-11-24T10:00:00.000Z'
const soon = '2026-11-25T15:00:00-05:00'
const answered = (...steps: DealerStepName[]) => ({
  delivery: 'DELIVERED' as const,
  reported: steps.map((step) => ({
    step,
    at,
    ...(step === 'appointment' && { place: '12 Main St, Buffalo', time: soon }),
    ...(step === 'needsDocument' && { document: 'A copy of the title' }),
  })),
  now: at,
})
const everything = { loan: true, trade: true, financing: true }

// R-deals-57
test('lists Keyturn’s step first until the dealer has received the deal', () => {
  const first = (delivery: NextStepFacts['delivery']) => stepsOf({ delivery })[0]
  expect(first('WAITING')).toMatchObject({ by: 'KEYTURN', what: 'Passes the signed deal on to AutoNation.' })
  expect(first('PARKED')).toMatchObject({ by: 'KEYTURN', what: expect.stringContaining('has not reached') })
  for (const delivery of ['DELIVERED', null] as const) expect(first(delivery)?.by).toBe('DEALER')
})

// R-deals-57
test('removes steps that the dealer has reported as done', () => {
  const text = (...steps: DealerStepName[]) => stepsText({ ...everything, ...answered(...steps) })
  expect(text()).toContain('will call both of you')
  expect(text('accepted')).not.toContain('will call both of you')
  expect(text('accepted')).toContain('Sets a day and place with both of you.')
  const appointed = text('accepted', 'appointment')
  expect(appointed).not.toMatch(/will call both of you|Sets a day/)
  expect(appointed).toContain('12 Main St, Buffalo')
  expect(appointed).toContain('A photo ID and proof of insurance.')
  const paid = text('accepted', 'appointment', 'paidSeller')
  expect(paid).not.toMatch(/Pays the seller|Nothing is approved yet/)
  expect(paid).toContain('Releases the title')
  const titled = text('accepted', 'appointment', 'titleReceived')
  expect(titled).not.toMatch(/Releases the title|is paid off first|every key, the registration/)
  expect(titled).toContain('Pays the seller')
  expect(text('accepted', 'paidSeller', 'titleReceived')).not.toMatch(/will call both of you|Sets a day/)
})

test('lists a requested document first, in the latest wording', () => {
  const [first] = stepsOf(answered('accepted', 'needsDocument'))
  expect(first).toMatchObject({ by: 'BOTH', what: expect.stringContaining('“A copy of the title”') })
  expect(stepsText(answered('accepted', 'needsDocument', 'complete'))).not.toContain('A copy of the title')
})

test('stops listing the appointment a day after it', () => {
  const nextWeek = { ...answered('accepted', 'appointment'), now: '2026-12-01T10:00:00.000Z' }
  expect(stepsText({ ...everything, ...nextWeek })).not.toMatch(/12 Main St|photo ID|credit application/)
  expect(stepsText({ ...everything, ...nextWeek })).toContain('Pays the seller')
})

test('lists only what is still to be done after a sale is complete', () => {
  const whats = (...steps: DealerStepName[]) =>
    stepsOf({ ...everything, ...answered(...steps) }).map(({ by, what }) => `${by} ${what.slice(0, 30)}`)
  expect(whats('complete')).toEqual(['SELLER The motor vehicle agency of th'])
  expect(whats('accepted', 'paidSeller', 'complete')).toEqual(whats('complete'))
  expect(whats('accepted', 'complete')).toEqual([
    'DEALER Has not yet reported paying th',
    ...whats('complete'),
  ])
})
