import {
  editUser,
  forgotPassword,
  getUser,
  login,
  sendVerification,
  verifyEmail,
} from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { aNewcomer, aSeller, mailedCode, mailsTo } from '../../test/people.ts'

const house = await openHouse()
let count = 0
const newAddress = () => `moved-${++count}@example.com`

test('a person edits their names and phone, and nothing that is not theirs to set', async () => {
  const person = await aSeller(house)
  const user = await person.ask(editUser, {
    body: {
      firstName: 'Ada',
      lastName: 'Byron',
      phoneNumber: '303-555-0199',
      email: person.email,
      userType: 'WHOLESALER',
      verified: false,
      approved: true,
      _id: 'f'.repeat(24),
    },
  })
  expect(user).toEqual({
    _id: person.id,
    email: person.email,
    userType: 'SELLER',
    firstName: 'Ada',
    lastName: 'Byron',
    phoneNumber: '303-555-0199',
    verified: true,
    pendingEmail: null,
    approved: false,
    home: '/home',
  })
  expect(await person.ask(getUser)).toEqual(user)
})

test('a wrong field is named, and what is left out stays', async () => {
  const person = await aSeller(house)
  const sent = await person.send(editUser, { body: { firstName: '', email: 'x' } })
  expect(sent.refusal.errors?.map(({ path }) => path)).toEqual(['firstName', 'email'])
  const user = await person.ask(editUser, { body: { lastName: 'Byron' } })
  expect(user).toMatchObject({
    firstName: person.firstName,
    lastName: 'Byron',
    phoneNumber: person.phoneNumber,
  })
})

// R-accounts-13
test('a new address waits for its verification; the old one is told and works until then', async () => {
  const person = await aSeller(house)
  const email = newAddress()
  expect(await person.ask(editUser, { body: { email } })).toMatchObject({
    email: person.email,
    pendingEmail: email,
    verified: true,
  })
  const [told] = await mailsTo(house, person.email)
  expect(told?.subject).toBe('Your email address is about to change')
  // Without the joiners that keep mail programs from making a link of it.
  expect(told?.text.replaceAll('\u2060', '')).toContain(email)
  const signIn = (address: string) =>
    house.browser().send(login, { body: { email: address, password: person.password } })
  expect([(await signIn(email)).status, (await signIn(person.email)).status]).toEqual([401, 200])
  const code = await mailedCode(house, email)
  expect((await house.browser().send(verifyEmail, { params: { code } })).status).toBe(200)
  expect(await person.ask(getUser)).toMatchObject({ email, pendingEmail: null, verified: true })
  expect([(await signIn(email)).status, (await signIn(person.email)).status]).toEqual([200, 401])
  expect((await house.browser().send(verifyEmail, { params: { code } })).status).toBe(200)
})

test('the link to a new address can be sent again by its person only', async () => {
  const person = await aSeller(house)
  const email = newAddress()
  await person.ask(editUser, { body: { email } })
  await house.browser().ask(sendVerification, { body: { email } })
  expect(await mailsTo(house, email)).toHaveLength(1)
  await person.ask(sendVerification, { body: { email } })
  expect(await mailsTo(house, email)).toHaveLength(2)
})

test('thinking better of it voids the link', async () => {
  const person = await aSeller(house)
  const email = newAddress()
  await person.ask(editUser, { body: { email } })
  const code = await mailedCode(house, email)
  expect(await person.ask(editUser, { body: { email: person.email } })).toMatchObject({ pendingEmail: null })
  expect((await person.send(verifyEmail, { params: { code } })).status).toBe(400)
  expect((await person.ask(getUser)).email).toBe(person.email)
})

test('a link that verified goes on saying so while another address waits', async () => {
  const person = await aSeller(house)
  const code = await mailedCode(house, person.email)
  await person.ask(editUser, { body: { email: newAddress() } })
  expect((await house.browser().send(verifyEmail, { params: { code } })).status).toBe(200)
})

test('an unverified person mends a mistyped address by proving another; the old link is void', async () => {
  const person = await aNewcomer(house, 'SELLER')
  const old = await mailedCode(house, person.email)
  const email = newAddress()
  expect(await person.ask(editUser, { body: { email } })).toMatchObject({
    email: person.email,
    pendingEmail: email,
    verified: false,
  })
  expect((await person.send(verifyEmail, { params: { code: old } })).status).toBe(400)
  expect((await person.send(verifyEmail, { params: { code: await mailedCode(house, email) } })).status).toBe(
    200,
  )
  expect(await person.ask(getUser)).toMatchObject({ email, pendingEmail: null, verified: true })
  expect((await mailsTo(house, person.email)).map(({ subject }) => subject)).toEqual(['Verify your email'])
})

test('a mistyped address gets no more mail once another is asked for: it may be a stranger’s', async () => {
  const person = await aNewcomer(house, 'SELLER')
  await person.ask(editUser, { body: { email: newAddress() } })
  for (const call of [sendVerification, forgotPassword])
    await house.browser().ask(call, { body: { email: person.email } })
  expect(await mailsTo(house, person.email)).toHaveLength(1)
})

test('an unverified person who goes back to the first address is sent a new link there', async () => {
  const person = await aNewcomer(house, 'SELLER')
  await person.ask(editUser, { body: { email: newAddress() } })
  expect(await person.ask(editUser, { body: { email: person.email } })).toMatchObject({ pendingEmail: null })
  const code = await mailedCode(house, person.email)
  expect((await person.send(verifyEmail, { params: { code } })).status).toBe(200)
})

test('of two who want one address the first to prove it has it', async () => {
  const [one, three] = [await aSeller(house), await aSeller(house)]
  const email = newAddress()
  await one.ask(editUser, { body: { email } })
  const ones = await mailedCode(house, email)
  await three.ask(editUser, { body: { email } })
  const threes = await mailedCode(house, email)
  const results = await Promise.all(
    [ones, threes].map((code) => house.browser().send(verifyEmail, { params: { code } })),
  )
  expect(results.map(({ status }) => status).sort()).toEqual([200, 400])
  const emails = [(await one.ask(getUser)).email, (await three.ask(getUser)).email]
  expect(emails.filter((address) => address === email)).toHaveLength(1)
})
