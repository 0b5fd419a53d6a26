import { expect, test } from 'vitest'
import type { DealerStepName } from '../deals/rules.ts'
import type { DealerStep } from '../deals/shapes.ts'
import {
  factsBeforeSigning,
  findAppointment,
  type NextStep,
  type NextStepFacts,
  nextSteps,
  requestedText,
} from './next-steps.ts'

const dealer = { name: 'AutoNation', phone: '303 555 0142', hours: 'Mon to Sat, 9 to 6' }
type Sale = Parameters<typeof nextSteps>[1]
const sale: Sale = { dealer, sellerState: 'CO', side: 'BUYER' }
const plain: NextStepFacts = {
  loan: false,
  trade: false,
  tradeLoan: false,
  financing: false,
  ...factsBeforeSigning,
}
const stepsOf = (situation: Partial<NextStepFacts>, of = sale) => nextSteps({ ...plain, ...situation }, of)
const stepsText = (situation: Partial<NextStepFacts>, of = sale) =>
  stepsOf(situation, of)
    .map(({ what }) => what)
    .join('\n')

// R-deals-57
test('derives each party’s steps from the loan, the trade-in and the financing', () => {
  const doers = (situation: Partial<NextStepFacts>) => stepsOf(situation).map(({ by }) => by)
  const rest = ['DEALER', 'SELLER']
  expect(doers({})).toEqual(['DEALER', 'SELLER', 'BUYER', 'SELLER', ...rest])
  expect(doers({ loan: true })).toEqual(['DEALER', 'SELLER', 'BUYER', 'DEALER', 'LENDER', ...rest])
  expect(doers({ trade: true })).toEqual(['DEALER', 'SELLER', 'BUYER', 'BUYER', 'SELLER', ...rest])
  expect(doers({ tradeLoan: true })).toEqual(doers({ trade: true }))
  expect(doers({ financing: true })).toEqual(['DEALER', 'BUYER', 'SELLER', 'BUYER', 'SELLER', ...rest])
})

test('asks a seller with a loan for the loan account instead of the title, which follows the payoff', () => {
  expect(stepsText({})).toContain('the title, every key')
  expect(stepsText({})).not.toContain('loan')
  expect(stepsText({ loan: true })).not.toContain('the title, every key')
  expect(stepsText({ loan: true })).toContain('loan account number')
  expect(stepsText({ loan: true })).toContain('The seller’s loan is paid off first.')
  expect(stepsText({ loan: true })).toContain(
    'The lender releases the title; only then can it pass to AutoNation.',
  )
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
  const [own, cleared] = brings('BUYER', { trade: true })
  expect(own).toMatch(/^A photo ID and proof of insurance\. /)
  expect(cleared).toBe('The trade-in itself, its title, its registration and every key.')
  const [, owed, ...more] = brings('BUYER', { tradeLoan: true })
  expect(more).toEqual([])
  expect(owed).toMatch(/^The trade-in itself, its registration, every key, and the lender’s name/)
  expect(owed).toContain('Ask AutoNation how that loan is paid off.')
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
  expect(stepsText({})).toContain('The seller tells the motor vehicle agency of the seller’s state (CO) that')
  expect(stepsText({}, { ...sale, sellerState: null })).toContain('of the seller’s state that')
})

// R-deals-57
test('addresses the seller in the steps about the seller', () => {
  const words = (loan: boolean) =>
    stepsText({ loan, ...answered('accepted'), trade: true }, { ...sale, side: 'SELLER' })
  for (const loan of [true, false]) expect(words(loan)).not.toMatch(/the seller|to you\b/i)
  expect(words(true)).toContain('Your loan is paid off first.')
  expect(words(true)).toContain('only then can it pass to AutoNation.')
  expect(words(false)).toContain('Sign over the title at the appointment, not earlier.')
  expect(words(false)).toContain('AutoNation pays you.')
  expect(words(false)).toContain('Tell the motor vehicle agency of your state (CO) that')
  expect(stepsText(answered('accepted', 'complete'), { ...sale, side: 'SELLER' })).toContain(
    'AutoNation has not yet reported paying you.',
  )
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
const everything = { loan: true, trade: true, tradeLoan: true, financing: true }

// R-deals-57
test('lists Keyturn’s step first until the dealer has received the deal', () => {
  const first = (delivery: NextStepFacts['delivery']) => stepsOf({ delivery })[0]
  expect(first('WAITING')).toMatchObject({
    by: 'KEYTURN',
    what: 'Keyturn passes the signed deal on to AutoNation.',
  })
  expect(first('PARKED')).toMatchObject({ by: 'KEYTURN', what: expect.stringContaining('has not reached') })
  for (const delivery of ['DELIVERED', null] as const) expect(first(delivery)?.by).toBe('DEALER')
})

// R-deals-57
test('removes steps that the dealer has reported as done', () => {
  const text = (...steps: DealerStepName[]) => stepsText({ ...everything, ...answered(...steps) })
  expect(text()).toContain('will call both of you')
  expect(text('accepted')).not.toContain('will call both of you')
  expect(text('accepted')).toContain('AutoNation sets a day and place with both of you.')
  const appointed = text('accepted', 'appointment')
  expect(appointed).not.toMatch(/will call both of you|Sets a day/)
  expect(appointed).toContain('12 Main St, Buffalo')
  expect(appointed).toContain('A photo ID and proof of insurance.')
  const paid = text('accepted', 'appointment', 'paidSeller')
  expect(paid).not.toMatch(/pays the seller|Nothing is approved yet/)
  expect(paid).toContain('The lender releases the title')
  const titled = text('accepted', 'appointment', 'titleReceived')
  expect(titled).not.toMatch(/releases the title|is paid off first|every key, the registration/)
  expect(titled).toContain('AutoNation pays the seller')
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
  expect(stepsText({ ...everything, ...nextWeek })).toContain('AutoNation pays the seller')
})

test('lists only what is still to be done after a sale is complete', () => {
  const whats = (...steps: DealerStepName[]) =>
    stepsOf({ ...everything, ...answered(...steps) }).map(({ by, what }) => `${by} ${what.slice(0, 30)}`)
  expect(whats('complete')).toEqual(['SELLER The seller tells the motor veh'])
  expect(whats('accepted', 'paidSeller', 'complete')).toEqual(whats('complete'))
  expect(whats('accepted', 'complete')).toEqual([
    'DEALER AutoNation has not yet reporte',
    ...whats('complete'),
  ])
})

// R-deals-48
test('names what the dealer asked for last, until its next step or a day after the appointment', () => {
  const requested = (now: string, ...steps: DealerStepName[]) =>
    requestedText({ last: answered(...steps).reported.at(-1) ?? null, now }, 'AutoNation')
  expect(requested(at)).toBeNull()
  expect(requested(at, 'accepted')).toBeNull()
  expect(requested(at, 'accepted', 'needsDocument')).toBe('AutoNation asked both of you for a document')
  expect(requested(at, 'needsDocument', 'appointment')).toBe('Appointment on Wed, Nov 25, 2026, 3:00 PM')
  expect(requested('2026-11-27T10:00:00.000Z', 'appointment')).toBeNull()
  expect(requested(at, 'needsDocument', 'paidSeller')).toBeNull()
})

// R-deals-99
test('names the appointment to come, until a day after it or the end of the sale', () => {
  const at = (day: number) => `2026-11-${day}T15:00:00-05:00`
  const made = (day: number, place: string): DealerStep => ({
    step: 'appointment',
    at: at(20),
    place,
    time: at(day),
  })
  const found = (reported: DealerStep[], now = at(22)) => findAppointment({ reported, now })
  expect(found([])).toBeNull()
  expect(found([made(24, '12 Main St')])).toEqual({ place: '12 Main St', time: at(24) })
  expect(found([made(24, '12 Main St'), made(23, '1 High St')])?.place).toBe('1 High St')
  expect(found([made(24, '12 Main St')], '2026-11-25T20:00:00Z')).not.toBeNull()
  expect(found([made(24, '12 Main St')], '2026-11-25T20:00:01Z')).toBeNull()
  for (const step of ['complete', 'cancelled'] as const)
    expect(found([made(24, '12 Main St'), { step, at: at(21) }])).toBeNull()
})
