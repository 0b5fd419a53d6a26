import { expect, test } from 'vitest'
import { carName } from '../cars/rules.ts'
import { tooManyAttempts } from '../shared/texts.ts'
import { editUser, register } from './endpoints.ts'
import {
  fullName,
  homePathOf,
  isTooPersonal,
  maxSignInAgeForSigningMs,
  maxSignInAgeMs,
  parseLocalPath,
  resetCodeTtlMs,
  sessionLifetimes,
  verificationCodeTtlMs,
} from './rules.ts'

test.each([
  ['/home', '/home'],
  ['/car/seller?userId=1&vin=2#top', '/car/seller?userId=1&vin=2#top'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['https://evil.example', null],
  ['javascript:alert(1)', null],
  ['home', null],
  ['', null],
  ['/a\nb', null],
  [undefined, null],
  [['/home'], null],
])('accepts only a path of the app to continue to: %j gives %j (R-accounts-22)', (given, path) => {
  expect(parseLocalPath(given)).toBe(path)
})

test.each([
  ['adabyron', true],
  ['Ada.Byron1', true],
  ['ByronAda123', true],
  ['ada.b@example.com', true],
  ['countess7', true],
  ['countess of lovelace', false],
  ['quiet harbour', false],
  ['Ada1815!', false],
  ['!!!!!!a1', false],
])(
  'tells whether the password %j is too personal for Ada Byron, countess@example.com: %j',
  (password, tooPersonal) => {
    const person = { firstName: 'Ada', lastName: 'Byron', email: 'countess@example.com' }
    const other = { ...person, email: 'ada.b@example.com' }
    expect(isTooPersonal(password, password.includes('@') ? other : person)).toBe(tooPersonal)
  },
)

test('allows a password that repeats a name of two letters', () => {
  const person = { firstName: 'Lo', lastName: 'Byron', email: 'countess@example.com' }
  expect(isTooPersonal('lolololo', person)).toBe(false)
})

test('gives sessions, codes and a recently typed password their lifetimes (R-accounts-28)', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
  expect(sessionLifetimes).toEqual({
    user: { accessMs: 10 * minute, refreshIdleMs: 7 * day, sessionMs: 30 * day },
    wholesaler: { accessMs: 10 * minute, refreshIdleMs: 12 * hour, sessionMs: day },
    administrator: { accessMs: 5 * minute, refreshIdleMs: 30 * minute, sessionMs: 8 * hour },
  })
  expect([verificationCodeTtlMs, resetCodeTtlMs]).toEqual([day, hour])
  expect([maxSignInAgeMs, maxSignInAgeForSigningMs]).toEqual([15 * minute, day])
})

test('sends each role to its start page after sign-in', () => {
  expect([homePathOf('SELLER'), homePathOf('BUYER'), homePathOf('WHOLESALER')]).toEqual([
    '/home',
    '/home',
    '/wholesaler',
  ])
})

const form = {
  firstName: 'Ada',
  lastName: 'Byron',
  email: ' Ada@Example.COM ',
  phoneNumber: '202-555-0142',
  password: 'quiet harbour',
  confirmPassword: 'quiet harbour',
}
const faults = (more: object) => {
  const parsed = register.body.safeParse({ ...form, ...more })
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test('defaults a registration to a buyer and normalizes its address', () => {
  expect(register.body.parse(form)).toMatchObject({ userType: 'BUYER', email: 'ada@example.com' })
  expect(register.body.parse({ ...form, userType: 'seller' }).userType).toBe('SELLER')
})

const both = (password: string) => ({ password, confirmPassword: password })
const invalidPhone = 'phoneNumber: Invalid phone number.'
test.each<[string, object, string[]]>([
  ['7 characters', both('seven 7'), ['password: Password must contain at least 8 characters']],
  ['8 characters of two units each', both('🚗'.repeat(8)), []],
  ['256 characters', both('x'.repeat(256)), ['password: Password must contain at most 255 characters']],
  ['another confirmation', { confirmPassword: 'quiet harbor' }, ['confirmPassword: Passwords do not match.']],
  ['a phone of 9', { phoneNumber: '555-01428' }, [invalidPhone]],
  ['a phone of 18', { phoneNumber: '555-0142 555-01428' }, [invalidPhone]],
  ['no name', { lastName: '  ' }, ['lastName: Your name is required.']],
  ['no VIN', { vin: '' }, []],
  ['a short VIN', { vin: '1HGCM' }, []],
  ['a pasted VIN', { vin: 'VIN: 1HGCM-82633-A004352.' }, []],
  ['a VIN of 18', { vin: 'x'.repeat(18) }, ['vin: Invalid VIN.']],
  ['an unknown role', { userType: 'ADMIN' }, ['userType: Please choose buyer or seller.']],
])('reports the specified errors for a registration with %s', (_, more, expected) => {
  expect(faults(more)).toEqual(expected)
})

// R-accounts-9
test('accepts phone numbers in the listed formats only', () => {
  const good = [
    '555-0142 x22',
    '202/555-0142',
    '5550142 ext 22',
    '5550142ext.22',
    '5550142 #22',
    '+1 (202)555.0142',
  ]
  for (const phoneNumber of good) expect([phoneNumber, faults({ phoneNumber })]).toEqual([phoneNumber, []])
  const bad = [
    '555-014 (  )',
    '----------',
    'x22 555 0142',
    '555-0142 x',
    '555-0142 22x',
    '5550142 home',
    'ext 5550142',
  ]
  for (const phoneNumber of bad)
    expect([phoneNumber, faults({ phoneNumber })]).toEqual([phoneNumber, [invalidPhone]])
})

// R-accounts-9
test.each([
  ['\u202a+1\u00a0(202)\u00a0555\u20130142\u202c', '+1 (202) 555-0142'],
  ['\u200e202\u2011555\u20110142', '202-555-0142'],
  ['２０２-５５５-０１４２', '202-555-0142'],
  ['tel:+1-202-555-0142', '+1-202-555-0142'],
  ['  202  555\t0142 ', '202 555 0142'],
])('stores a pasted phone number %j as %j', (phoneNumber, stored) => {
  expect(editUser.body.parse({ phoneNumber })).toEqual({ phoneNumber: stored })
})

test('accepts a partial profile update', () => {
  expect(editUser.body.parse({ firstName: 'Ada' })).toEqual({ firstName: 'Ada' })
})

test.each([
  [0.2, '1 second'],
  [2, '2 seconds'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [900, '15 minutes'],
  [10_800, '180 minutes'],
  [10_801, '4 hours'],
  [86_400, '24 hours'],
])('rounds a wait of %d seconds up to %s', (seconds, span) => {
  expect(tooManyAttempts(seconds)).toBe(`Too many tries. Please try again in ${span}.`)
})

test('shows a stored name without its hidden characters', () => {
  expect(fullName({ firstName: 'Ben\u202e', lastName: '\u200bBuyer\n' })).toBe('Ben Buyer')
  expect(fullName({ firstName: '\u3164', lastName: '\u{e0041}' })).toBe('No name')
  expect(carName({ year: 2003, make: 'Hon\u202eda', carModel: 'Accord\u2066', trim: '\u200b' })).toBe(
    '2003 Honda Accord',
  )
})
