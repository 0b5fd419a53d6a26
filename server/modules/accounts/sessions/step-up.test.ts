import { changePassword, editUser, getUser, login } from '@keyturn/contract/accounts/endpoints.ts'
import { deleteUser, updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { confirmedPassword, newAddressHeaders } from '../../../../tests/support/http/visitors.ts'
import { aNewcomer, aSeller, readEmailsTo, type TestPerson } from '../../../../tests/support/people.ts'
import { aSaleAt, sellerSignature } from '../../../../tests/support/sales/deals.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'

const server = await startTestServer()
const strict = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
let count = 0
const newAddress = () => `elsewhere-${++count}@example.com`

/** Moves the person's sign-in into the past; the session stays active. */
const signedInAgo = ({ id }: { id: string }, interval: string, where: TestServer = server) =>
  where.query(`update sessions set signed_in_at = keyturn_now() - $2::interval where user_id = $1`, [
    id,
    interval,
  ])
const edit = (person: TestPerson, body: object) => person.send(editUser, { body }, newAddressHeaders())
const leave = (person: TestPerson, body?: object) =>
  person.send(deleteUser, { params: { userType: 'SELLER', id: person.id }, ...(body && { body }) })
const asked = [403, 'ReauthenticationRequired']

// R-accounts-14
test('requires the password for a new address from 15 minutes after sign-in', async () => {
  const person = await aSeller(server)
  await signedInAgo(person, '16 minutes')
  const email = newAddress()
  for (const more of [{}, { currentPassword: '' }, { currentPassword: 'not this one' }])
    expect(await statusAndCode(edit(person, { email, ...more }))).toEqual(asked)
  expect((await person.ask(getUser)).pendingEmail).toBeNull()
  expect(await readEmailsTo(server, email)).toEqual([])
  const sent = await edit(person, { email, currentPassword: person.password })
  expect(sent.answer).toMatchObject({ email: person.email, pendingEmail: email })
})

test('requires no password when the address stays the same', async () => {
  const person = await aSeller(server)
  const email = newAddress()
  await person.ask(editUser, { body: { email } })
  await signedInAgo(person, '16 minutes')
  expect((await edit(person, { firstName: 'Ada', email })).status).toBe(200)
  expect((await edit(person, { lastName: 'Byron', email: person.email })).status).toBe(200)
  const newcomer = await aNewcomer(server, 'BUYER')
  await signedInAgo(newcomer, '2 days')
  expect((await edit(newcomer, { email: newAddress() })).status).toBe(200)
})

// R-accounts-14
test('requires the password for deleting the account', async () => {
  const person = await aSeller(server)
  await signedInAgo(person, '16 minutes')
  expect(await statusAndCode(leave(person))).toEqual(asked)
  expect(await statusAndCode(leave(person, { currentPassword: 'not this one' }))).toEqual(asked)
  expect((await person.send(getUser)).status).toBe(200)
  expect((await leave(person, { currentPassword: person.password })).status).toBe(200)
  expect((await person.send(getUser)).status).toBe(401)
  const fresh = await aSeller(server)
  expect((await leave(fresh)).status).toBe(200)
})

// R-accounts-15
test('requires the password for signing from a day after sign-in', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const sign = (data = {}) =>
    sale.seller.send(updateProgress, { body: { ...sale.at, data: { ...sellerSignature(), ...data } } })
  await signedInAgo(sale.seller, '24 hours 1 minute')
  expect(await statusAndCode(sign())).toEqual(asked)
  expect(await statusAndCode(sign({ currentPassword: 'not this one' }))).toEqual(asked)
  const step = { body: { ...sale.at, data: { userType: 'SELLER', step: [0] } } }
  expect((await sale.seller.send(updateProgress, step)).status).toBe(200)
  expect((await sign({ currentPassword: sale.seller.password })).answer.sellerSigned).toBe(true)
  const other = await aSaleAt(server, 'confirmed')
  await signedInAgo(other.seller, '23 hours')
  const body = { ...other.at, data: sellerSignature() }
  expect((await other.seller.ask(updateProgress, { body })).sellerSigned).toBe(true)
})

test('counts wrong passwords of all actions together, and does not count right ones', async () => {
  const person = await aSeller(strict)
  await signedInAgo(person, '16 minutes', strict)
  for (let i = 0; i < 6; i++) {
    const sent = await edit(person, { email: newAddress(), currentPassword: person.password })
    expect(sent.status).toBe(200)
  }
  const body = { ...confirmedPassword('seven green bottles'), changePasswordId: person.id }
  const change = (currentPassword: string) =>
    person.send(changePassword, { body: { ...body, currentPassword } })
  const statuses = [
    (await edit(person, { email: newAddress(), currentPassword: 'guess 1' })).status,
    (await leave(person, { currentPassword: 'guess 2' })).status,
    (await change('guess 3')).status,
    (await leave(person, { currentPassword: 'guess 4' })).status,
    (await change('guess 5')).status,
    (await edit(person, { email: newAddress(), currentPassword: person.password })).status,
  ]
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
  const signIn = { body: { email: person.email, password: person.password } }
  expect((await strict.browser().send(login, signIn)).status).toBe(200)
})
