import * as calls from '@keyturn/contract/accounts/calls.ts'
import { addCar } from '@keyturn/contract/cars/calls.ts'
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { aCarForm } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aForm, aNewcomer, aSeller, mailedCode, mailedLink, mailsTo } from '../test/people.ts'

const house = await openHouse()
const registration = (wishes = {}) => {
  const form = aForm(wishes)
  return { ...form, confirmPassword: form.password, userType: 'SELLER' }
}
const twenty = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 20 }, (_, i) => work(i)))
const okOf = (sent: { status: number }[]) => sent.filter(({ status }) => status < 300)

// R-accounts-4
test('registering signs in at once, unverified, and mails a link', async () => {
  const browser = house.browser()
  const form = registration({ email: 'Ada.Byron@Example.com' })
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
  const mails = await mailsTo(house, 'ada.byron@example.com')
  expect(mails.map((mail) => mail.subject)).toEqual(['Verify your email'])
})

// R-accounts-9, R-everywhere-4
test('each field says what is wrong with it, in its own sentence', async () => {
  const sent = await house.browser().send(calls.register, {
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
  expect(sent.refusal.errorCode).toBe('ValidationError')
  expect(Object.fromEntries(sent.refusal.errors?.map(({ path, message }) => [path, message]) ?? [])).toEqual({
    email: 'Please enter a valid email address.',
    firstName: 'Your name is required.',
    phoneNumber: 'Invalid phone number.',
    password: 'Password must contain at least 8 characters',
    confirmPassword: 'Passwords do not match.',
    vin: 'Invalid VIN.',
  })
})

// R-safe-12, R-accounts-1
test('a wholesaler may register and is not approved; an administrator cannot be made', async () => {
  const browser = house.browser()
  const user = await browser.ask(calls.register, {
    body: { ...registration(), userType: 'wholesaler', approved: true, verified: true, _id: 'f'.repeat(24) },
  })
  expect(user).toMatchObject({
    userType: 'WHOLESALER',
    approved: false,
    verified: false,
    home: '/wholesaler',
  })
  expect(user._id).not.toBe('f'.repeat(24))
  const admin = await browser.send(calls.register, { body: { ...registration(), userType: 'ADMIN' } })
  expect(admin.status).toBe(400)
})

// R-safe-18, R-accounts-5
test('a taken address gets the general answer, and its owner hears of it', async () => {
  const owner = await aSeller(house)
  await house.query(`update users set created_at = created_at - interval '1 day' where id = $1`, [owner.id])
  const sent = await house
    .browser()
    .send(calls.register, { body: registration({ email: owner.email.toUpperCase() }) })
  expect([sent.status, sent.refusal]).toEqual([
    409,
    { errorCode: 'RegistrationFailed', message: 'Sign up failed. Please try again.' },
  ])
  expect(sent.headers['set-cookie']).toBeUndefined()
  expect((await mailsTo(house, owner.email))[0]?.subject).toBe('You already have an account')
})

test('of twenty registrations of one address one succeeds, and one mail goes out', async () => {
  const form = registration()
  const sent = await twenty(() => house.browser().send(calls.register, { body: form }))
  expect(okOf(sent)).toHaveLength(1)
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201, 409]))
  expect(await mailsTo(house, form.email)).toHaveLength(1)
})

// R-accounts-10
test('passwords that everybody tries, or that repeat the name, are refused with a word on it', async () => {
  const common = await house.browser().send(calls.register, {
    body: { ...registration({ password: 'Password1' }) },
  })
  expect([common.status, common.refusal.errorCode, common.refusal.errors?.[0]?.path]).toEqual([
    400,
    'CommonPassword',
    'password',
  ])
  const own = await house
    .browser()
    .send(calls.register, { body: registration({ password: 'RobinAshdown1' }) })
  expect(own.refusal.message).toBe(
    'This password is too close to your name or email address. Please choose another one.',
  )
})

// R-accounts-9
test('every character of a long password counts, and one sign has one meaning', async () => {
  const long = `${'é'.repeat(199)}`
  const person = await aSeller(house, { password: `${long}a` })
  const signIn = (password: string) =>
    house.browser().send(calls.login, { body: { email: person.email, password } })
  expect((await signIn(`${long}b`)).status).toBe(401)
  expect((await signIn(`${long}a`)).status).toBe(200)
  expect((await signIn(`${long.normalize('NFD')}a`)).status).toBe(200)
})

// R-accounts-8
test('a registration with a VIN leads back to that car, the next link too', async () => {
  const seller = await aSeller(house)
  const car = aCarForm()
  await seller.ask(addCar, { body: car })
  const form = { ...registration(), userType: 'BUYER', vin: car.vin.toLowerCase(), userId: seller.id }
  await house.browser().ask(calls.register, { body: form })
  const first = await mailedLink(house, form.email, '/email/verify')
  expect([first.searchParams.get('vin'), first.searchParams.get('userId')]).toEqual([car.vin, seller.id])
  // Neither a link of another kind nor another person's comes between.
  await house.browser().ask(calls.forgotPassword, { body: { email: form.email } })
  await aNewcomer(house, 'BUYER')
  await house.browser().ask(calls.sendVerification, { body: { email: form.email } })
  const second = await mailedLink(house, form.email, '/email/verify')
  expect(second.searchParams.get('code')).not.toBe(first.searchParams.get('code'))
  expect(second.search.replace(/code=[^&]+/, '')).toBe(first.search.replace(/code=[^&]+/, ''))
})

// R-accounts-11
test('the mailed link verifies once and answers the same until it expires; it signs nobody in', async () => {
  const person = await aNewcomer(house, 'SELLER')
  const code = await mailedCode(house, person.email)
  const stranger = house.browser()
  const sent = await twenty(() => stranger.send(calls.verifyEmail, { params: { code } }))
  expect(new Set(sent.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(['200 {"message":"Your email has been verified successfully!"}']),
  )
  expect(stranger.cookies.size).toBe(0)
  expect((await person.ask(calls.getUser)).verified).toBe(true)
  await house.moveClock('25 hours')
  expect((await stranger.send(calls.verifyEmail, { params: { code } })).refusal).toEqual({
    errorCode: 'InvalidVerificationCode',
    message: 'Your email verification code is invalid or has expired.',
  })
  await house.moveClock('0')
})

test('only the newest link is good, and HEAD does not use it', async () => {
  const person = await aNewcomer(house, 'BUYER')
  const old = await mailedCode(house, person.email)
  await person.ask(calls.sendVerification, { body: { email: person.email } })
  const fresh = await mailedCode(house, person.email)
  expect((await person.send(calls.verifyEmail, { params: { code: old } })).status).toBe(400)
  const head = await house.app.inject({ method: 'HEAD', url: `/auth/email/verify/${fresh}` })
  expect(head.statusCode).toBe(405)
  expect((await person.ask(calls.getUser)).verified).toBe(false)
  expect((await person.send(calls.verifyEmail, { params: { code: fresh } })).status).toBe(200)
  expect((await person.send(calls.verifyEmail, { params: { code: 'nonsense' } })).status).toBe(400)
})

// R-safe-18
test('sending a link answers the same for unknown, verified and waiting addresses', async () => {
  const waiting = await aNewcomer(house, 'BUYER')
  const verified = await aSeller(house)
  const before = (await mailsTo(house, verified.email)).length
  const answers: { call: string; status: number; headers: string[]; body: string }[] = []
  for (const email of [waiting.email, verified.email, 'nobody-here@example.com'])
    for (const call of [calls.sendVerification, calls.forgotPassword] as const) {
      const { status, headers, body } = await house.browser().send(call, { body: { email } })
      const { date, ...rest } = headers
      answers.push({ call: call.name, status, headers: Object.keys(rest), body: body.replace(email, '') })
    }
  const [send, forgot] = answers
  expect(answers).toEqual(
    [send, forgot, send, forgot, send, forgot].map((answer, i) => ({
      ...answer,
      headers: answers[i % 2]?.headers,
    })),
  )
  expect(send?.body).toBe('{"message":"Email sent to  successfully!"}')
  expect(forgot?.body).toBe(
    '{"message":"Email sent to  successfully! Check your inbox for further instructions."}',
  )
  expect((await mailsTo(house, waiting.email)).length).toBe(3)
  expect((await mailsTo(house, verified.email)).length).toBe(before + 1)
  expect(await mailsTo(house, 'nobody-here@example.com')).toEqual([])
})

// R-accounts-20
test('who may not sign in is told the same, whether the address is known or not', async () => {
  const person = await aSeller(house)
  const wrong = await house
    .browser()
    .send(calls.login, { body: { email: person.email, password: 'wrong password' } })
  const unknown = await house
    .browser()
    .send(calls.login, { body: { email: 'who@example.com', password: 'wrong password' } })
  expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
  expect([wrong.status, wrong.refusal]).toEqual([
    401,
    { errorCode: 'InvalidCredentials', message: 'Invalid email or password.' },
  ])
  const empty = await house.browser().send(calls.login, { body: { email: person.email, password: '' } })
  expect(empty.refusal.errors).toEqual([{ path: 'password', message: 'Password is required.' }])
})

// R-accounts-12
test('unverified people read themselves, mend their address and change their password', async () => {
  const person = await aNewcomer(house, 'SELLER')
  expect((await person.send(calls.getUser)).status).toBe(200)
  const change = {
    password: 'another good one',
    confirmPassword: 'another good one',
    changePasswordId: person.id,
  }
  expect((await person.send(calls.changePassword, { body: change })).status).toBe(200)
  const signIn = { body: { email: person.email, password: change.password } }
  expect((await house.browser().send(calls.login, signIn)).answer.verified).toBe(false)
})

test('a password to sign in with has at most 255 characters, however they are written', async () => {
  const signIn = (password: string) =>
    house.browser().send(calls.login, { body: { email: 'who@example.com', password } })
  expect((await signIn('🔑'.repeat(255))).status).toBe(401)
  const long = await signIn('a'.repeat(256))
  expect([long.status, long.refusal.errors?.map(({ path }) => path)]).toEqual([400, ['password']])
})

test('signing in renews a hash of former days', async () => {
  const person = await aSeller(house)
  const old = await hash(person.password, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await house.query('update users set password_hash = $2 where id = $1', [person.id, old])
  const signIn = () =>
    house.browser().send(calls.login, { body: { email: person.email, password: person.password } })
  expect((await signIn()).status).toBe(200)
  const [row] = await house.query<{ password_hash: string }>(
    'select password_hash from users where id = $1',
    [person.id],
  )
  expect(row?.password_hash).toContain('m=19456,t=2,p=1')
  expect((await signIn()).status).toBe(200)
})
