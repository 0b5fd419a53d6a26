import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import { aNewcomer, aSeller, readEmailedCode, readEmailsTo } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const server = await startTestServer()
let count = 0
const newAddress = () => `moved-${++count}@example.com`
const edit = (person: Browser, body: object) => person.ask(calls.editUser, { body })
const verify = async (code: string) =>
  (await server.browser().send(calls.verifyEmail, { params: { code } })).status

test('lets a person edit names and phone, and nothing else', async () => {
  const person = await aSeller(server)
  const wishes = { firstName: 'Ada', lastName: 'Byron', phoneNumber: '303-555-0199', email: person.email }
  const foreign = { userType: 'WHOLESALER', verified: false, approved: true, _id: 'f'.repeat(24) }
  const user = await edit(person, { ...wishes, ...foreign })
  const own = { _id: person.id, userType: 'SELLER', verified: true, approved: false, home: '/home' }
  expect(user).toEqual({ ...wishes, ...own, pendingEmail: null })
  // Omitted fields are unchanged.
  expect(await edit(person, { lastName: 'Lovelace' })).toEqual({ ...user, lastName: 'Lovelace' })
})

// R-accounts-13
test('keeps a new address pending until it is verified, and emails the old one', async () => {
  const person = await aSeller(server)
  const email = newAddress()
  const waiting = { email: person.email, pendingEmail: email, verified: true }
  expect(await edit(person, { email })).toMatchObject(waiting)
  const [told] = await readEmailsTo(server, person.email)
  expect(told?.subject).toBe('Your email address is about to change')
  // Removes the word joiners that keep email programs from turning the address into a link.
  expect(told?.text.replaceAll('\u2060', '')).toContain(email)
  const signIn = async (address: string) =>
    (await server.browser().send(calls.login, { body: { email: address, password: person.password } })).status
  expect([await signIn(email), await signIn(person.email)]).toEqual([401, 200])
  const code = await readEmailedCode(server, email)
  expect(await verify(code)).toBe(200)
  expect(await person.ask(calls.getUser)).toMatchObject({ email, pendingEmail: null, verified: true })
  expect([await signIn(email), await signIn(person.email)]).toEqual([200, 401])
  expect(await verify(code)).toBe(200)
})

test('voids the link when the person restores the old address', async () => {
  const person = await aSeller(server)
  const email = newAddress()
  await edit(person, { email })
  const code = await readEmailedCode(server, email)
  expect(await edit(person, { email: person.email })).toMatchObject({ pendingEmail: null })
  expect(await verify(code)).toBe(400)
  expect((await person.ask(calls.getUser)).email).toBe(person.email)
})

test('reports success for an already used link while another address is pending', async () => {
  const person = await aSeller(server)
  const code = await readEmailedCode(server, person.email)
  await edit(person, { email: newAddress() })
  expect(await verify(code)).toBe(200)
})

test('lets an unverified person correct a mistyped address, and voids the old link', async () => {
  const person = await aNewcomer(server, 'SELLER')
  const old = await readEmailedCode(server, person.email)
  const email = newAddress()
  expect(await edit(person, { email })).toMatchObject({
    email: person.email,
    pendingEmail: email,
    verified: false,
  })
  expect(await verify(old)).toBe(400)
  expect(await verify(await readEmailedCode(server, email))).toBe(200)
  expect(await person.ask(calls.getUser)).toMatchObject({ email, pendingEmail: null, verified: true })
  expect((await readEmailsTo(server, person.email)).map(({ subject }) => subject)).toEqual([
    'Verify your email',
  ])
})

test('sends no more email to a mistyped address once it has been replaced', async () => {
  const person = await aNewcomer(server, 'SELLER')
  await edit(person, { email: newAddress() })
  for (const call of [calls.sendVerification, calls.forgotPassword])
    await server.browser().ask(call, { body: { email: person.email } })
  expect(await readEmailsTo(server, person.email)).toHaveLength(1)
})

test('sends a new link when an unverified person returns to the first address', async () => {
  const person = await aNewcomer(server, 'SELLER')
  await edit(person, { email: newAddress() })
  expect(await edit(person, { email: person.email })).toMatchObject({ pendingEmail: null })
  const code = await readEmailedCode(server, person.email)
  expect(await verify(code)).toBe(200)
})

test('gives an address to whichever of two people verifies it first', async () => {
  const [one, three] = [await aSeller(server), await aSeller(server)]
  const email = newAddress()
  await edit(one, { email })
  const ones = await readEmailedCode(server, email)
  await edit(three, { email })
  const threes = await readEmailedCode(server, email)
  expect((await Promise.all([ones, threes].map(verify))).sort()).toEqual([200, 400])
  const emails = [(await one.ask(calls.getUser)).email, (await three.ask(calls.getUser)).email]
  expect(emails.filter((address) => address === email)).toHaveLength(1)
})
