import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { aRegistration, confirmedPassword } from '../../../tests/support/http/visitors.ts'
import {
  aNewcomer,
  aSeller,
  readEmailedCode,
  readEmailedLink,
  readEmailsTo,
} from '../../../tests/support/people.ts'
import { aCarForm } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()
const twenty = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 20 }, (_, i) => work(i)))
const okOf = (sent: { status: number }[]) => sent.filter(({ status }) => status < 300)

// R-accounts-4
test('signs in a new account immediately, unverified, and emails a link', async () => {
  const browser = server.browser()
  const form = aRegistration({ email: 'Ada.Byron@Example.com' }, 'SELLER')
  const sent = await browser.send(calls.register, { body: form })
  expect(sent.status).toBe(201)
  expect(sent.answer).toMatchObject({
    email: 'ada.byron@example.com',
    userType: 'SELLER',
    verified: false,
    home: '/home',
  })
  expect(sent.body).not.toMatch(/hash|token|password/i)
  expect(await browser.ask(calls.getUser)).toEqual(sent.answer)
  const mails = await readEmailsTo(server, 'ada.byron@example.com')
  expect(mails.map((mail) => mail.subject)).toEqual(['Verify your email'])
})

// R-accounts-9, R-everywhere-4
test('returns a separate error for each invalid field', async () => {
  const sent = await server.browser().send(calls.register, {
    body: {
      email: 'x',
      firstName: ' ',
      lastName: 'L',
      phoneNumber: '12',
      password: 'short',
      confirmPassword: 'other',
      vin: 'x'.repeat(18),
    },
  })
  expect(sent.status).toBe(400)
  expect(sent.error.errorCode).toBe('ValidationError')
  expect(Object.fromEntries(sent.error.errors?.map(({ path, message }) => [path, message]) ?? [])).toEqual({
    email: 'Please enter a valid email address.',
    firstName: 'Your name is required.',
    phoneNumber: 'Invalid phone number.',
    password: 'Password must contain at least 8 characters',
    confirmPassword: 'Passwords do not match.',
    vin: 'Invalid VIN.',
  })
})

// R-safe-12, R-accounts-1
test('registers a wholesaler unapproved, and never an administrator', async () => {
  const browser = server.browser()
  const user = await browser.ask(calls.register, {
    body: { ...aRegistration(), userType: 'wholesaler', approved: true, verified: true, _id: 'f'.repeat(24) },
  })
  expect(user).toMatchObject({
    userType: 'WHOLESALER',
    approved: false,
    verified: false,
    home: '/wholesaler',
  })
  expect(user._id).not.toBe('f'.repeat(24))
  const admin = await browser.send(calls.register, { body: { ...aRegistration(), userType: 'ADMIN' } })
  expect(admin.status).toBe(400)
})

// R-safe-18, R-accounts-5
test('returns the general error for a taken address, and emails its owner', async () => {
  const owner = await aSeller(server)
  await server.query(`update users set created_at = created_at - interval '1 day' where id = $1`, [owner.id])
  const sent = await server
    .browser()
    .send(calls.register, { body: aRegistration({ email: owner.email.toUpperCase() }) })
  expect([sent.status, sent.error]).toEqual([
    409,
    { errorCode: 'RegistrationFailed', message: 'Sign up failed. Please try again.' },
  ])
  expect(sent.headers['set-cookie']).toBeUndefined()
  expect((await readEmailsTo(server, owner.email))[0]?.subject).toBe('You already have an account')
})

test('accepts one of twenty registrations with the same address, and sends one email', async () => {
  const form = aRegistration()
  const sent = await twenty(() => server.browser().send(calls.register, { body: form }))
  expect(okOf(sent)).toHaveLength(1)
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201, 409]))
  expect(await readEmailsTo(server, form.email)).toHaveLength(1)
})

// R-accounts-10
test('rejects common passwords and those that contain the name, with an explanation', async () => {
  const sent = (password: string) =>
    server.browser().send(calls.register, { body: aRegistration({ password }) })
  const common = await sent('Password1')
  expect([common.status, common.error]).toMatchObject([
    400,
    { errorCode: 'CommonPassword', errors: [{ path: 'password' }] },
  ])
  expect((await sent('RobinAshdown1')).error.message).toBe(
    'This password is too close to your name or email address. Please choose another one.',
  )
})

// R-accounts-9
test('compares all characters of a long password, in normalized form', async () => {
  const long = `${'é'.repeat(199)}`
  const person = await aSeller(server, { password: `${long}a` })
  const signIn = (password: string) =>
    server.browser().send(calls.login, { body: { email: person.email, password } })
  expect((await signIn(`${long}b`)).status).toBe(401)
  expect((await signIn(`${long}a`)).status).toBe(200)
  expect((await signIn(`${long.normalize('NFD')}a`)).status).toBe(200)
})

// R-accounts-8
test('links to the car of a registration with a VIN, also in later verification links', async () => {
  const seller = await aSeller(server)
  const car = aCarForm()
  await seller.ask(addCar, { body: car })
  const form = { ...aRegistration(), vin: car.vin.toLowerCase(), userId: seller.id }
  const buyer = server.browser()
  await buyer.ask(calls.register, { body: form })
  const first = await readEmailedLink(server, form.email, '/email/verify')
  expect([first.searchParams.get('vin'), first.searchParams.get('userId')]).toEqual([car.vin, seller.id])
  // Neither a link of another kind nor another person's link changes the car of the next link.
  await server.browser().ask(calls.forgotPassword, { body: { email: form.email } })
  await aNewcomer(server, 'BUYER')
  await server.browser().ask(calls.sendVerification, { body: { email: form.email } })
  const second = await readEmailedLink(server, form.email, '/email/verify')
  expect(second.searchParams.get('code')).not.toBe(first.searchParams.get('code'))
  expect(second.search.replace(/code=[^&]+/, '')).toBe(first.search.replace(/code=[^&]+/, ''))
  // A later change of address does not link to the car.
  await server.browser().ask(calls.verifyEmail, { params: { code: second.searchParams.get('code') ?? '' } })
  const moved = `moved-${form.email}`
  await buyer.ask(calls.editUser, { body: { email: moved } })
  expect((await readEmailedLink(server, moved, '/email/verify')).searchParams.has('vin')).toBe(false)
})

// R-accounts-8
test.each([
  ['a short VIN', '1HGCM', '1HGCM'],
  ['no VIN', '', null],
])('registers a buyer with %s', async (_, vin, linked) => {
  const form = { ...aRegistration({}, 'BUYER'), vin }
  await server.browser().ask(calls.register, { body: form })
  expect((await readEmailedLink(server, form.email, '/email/verify')).searchParams.get('vin')).toBe(linked)
})

// R-accounts-11
test('verifies once with the emailed link, which gives the same response until it expires', async () => {
  const person = await aNewcomer(server, 'SELLER')
  const code = await readEmailedCode(server, person.email)
  const stranger = server.browser()
  const sent = await twenty(() => stranger.send(calls.verifyEmail, { params: { code } }))
  expect(new Set(sent.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(['200 {"message":"Your email has been verified successfully!"}']),
  )
  expect(stranger.cookies.size).toBe(0)
  expect((await person.ask(calls.getUser)).verified).toBe(true)
  await server.moveClock('25 hours')
  expect((await stranger.send(calls.verifyEmail, { params: { code } })).error).toEqual({
    errorCode: 'InvalidVerificationCode',
    message: 'Your email verification code is invalid or has expired.',
  })
  await server.moveClock('0')
})

test('accepts only the newest link', async () => {
  const person = await aNewcomer(server, 'BUYER')
  const old = await readEmailedCode(server, person.email)
  await person.ask(calls.sendVerification, { body: { email: person.email } })
  const fresh = await readEmailedCode(server, person.email)
  const verify = async (code: string) => (await person.send(calls.verifyEmail, { params: { code } })).status
  expect([await verify(old), await verify('nonsense'), await verify(fresh)]).toEqual([400, 400, 200])
})

// R-safe-18
test('gives the same response for unknown, verified and unverified addresses when a link is requested', async () => {
  const [waiting, verified] = [await aNewcomer(server, 'BUYER'), await aSeller(server)]
  const emails = [waiting.email, verified.email, 'nobody-here@example.com']
  for (const [call, message] of [
    [calls.sendVerification, 'Email sent to # successfully!'],
    [calls.forgotPassword, 'Email sent to # successfully! Check your inbox for further instructions.'],
  ] as const) {
    const headerNames = new Set<string>()
    for (const email of emails) {
      const { status, headers, body } = await server.browser().send(call, { body: { email } })
      expect([status, JSON.parse(body)]).toEqual([200, { message: message.replace('#', email) }])
      headerNames.add(Object.keys(headers).join())
    }
    expect(headerNames.size).toBe(1)
  }
  const mailed = await Promise.all(emails.map(async (email) => (await readEmailsTo(server, email)).length))
  expect(mailed).toEqual([3, 2, 0])
})

// R-accounts-12
test('lets unverified people read their profile and change their password', async () => {
  const person = await aNewcomer(server, 'SELLER')
  expect((await person.send(calls.getUser)).status).toBe(200)
  const password = 'another good one'
  const body = { ...confirmedPassword(password), changePasswordId: person.id }
  expect((await person.send(calls.changePassword, { body })).status).toBe(200)
  const signedIn = await server.browser().ask(calls.login, { body: { email: person.email, password } })
  expect(signedIn.verified).toBe(false)
})

test('renews an outdated hash on sign-in', async () => {
  const person = await aSeller(server)
  const old = await hash(person.password, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await server.query('update users set password_hash = $2 where id = $1', [person.id, old])
  const signIn = () =>
    server.browser().send(calls.login, { body: { email: person.email, password: person.password } })
  expect((await signIn()).status).toBe(200)
  const [row] = await server.query<{ password_hash: string }>(
    'select password_hash from users where id = $1',
    [person.id],
  )
  expect(row?.password_hash).toContain('m=19456,t=2,p=1')
  expect((await signIn()).status).toBe(200)
})
