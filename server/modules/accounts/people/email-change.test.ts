// @module-tag full

import { editUser, getUser, register, sendVerification } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import { aRegistration, newAddressHeaders } from '../../../../tests/support/http/visitors.ts'
import { aNewcomer, aSeller, readEmailsTo, type TestPerson } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
let count = 0
const newAddress = () => `moved-${++count}@example.com`

const aPerson = () => aSeller(server, {}, newAddressHeaders())
const mailsAt = async (email: string) => (await readEmailsTo(server, email)).length
const edit = (person: TestPerson, body: object) => person.send(editUser, { body }, newAddressHeaders())

test('sends at most three emails an hour to an address when a profile is edited repeatedly', async () => {
  const stranger = 'never-asked@example.com'
  for (const person of [await aPerson(), await aNewcomer(server, 'BUYER')]) {
    const statuses = []
    for (let i = 0; i < 4; i++) {
      statuses.push((await edit(person, { email: stranger })).status)
      await edit(person, { email: newAddress() })
    }
    expect(statuses.at(-1)).toBe(429)
    expect(await mailsAt(stranger)).toBeLessThanOrEqual(3)
  }
})

test('changes nothing when the email limit rejects the edit', async () => {
  const person = await aPerson()
  const email = newAddress()
  for (let i = 0; i < 3; i++) {
    await edit(person, { email })
    await edit(person, { email: person.email })
  }
  const sent = await edit(person, { firstName: 'Ada', email })
  expect([sent.status, Number(sent.headers['retry-after']) > 0]).toEqual([429, true])
  expect(await person.ask(getUser)).toMatchObject({ firstName: person.firstName, pendingEmail: null })
})

test('does not let strangers use up the verification emails of a pending address', async () => {
  const person = await aPerson()
  const email = newAddress()
  await edit(person, { email })
  for (let i = 0; i < 5; i++)
    await server.browser().ask(sendVerification, { body: { email } }, newAddressHeaders())
  expect(await mailsAt(email)).toBe(1)
  for (let i = 0; i < 4; i++) await person.ask(sendVerification, { body: { email } }, newAddressHeaders())
  expect(await mailsAt(email)).toBe(3)
})

test('does not count requests for an unknown address against its later owner', async () => {
  const email = newAddress()
  for (let i = 0; i < 5; i++)
    await server.browser().ask(sendVerification, { body: { email } }, newAddressHeaders())
  await server.browser().ask(register, { body: aRegistration({ email }) }, newAddressHeaders())
  await server.browser().ask(sendVerification, { body: { email } }, newAddressHeaders())
  expect(await mailsAt(email)).toBe(2)
})
