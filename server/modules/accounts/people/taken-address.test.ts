import { editUser, getUser, register, sendVerification } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import { aRegistration, newAddressHeaders } from '../../../../tests/support/http/visitors.ts'
import { aNewcomer, aSeller, readEmailsTo, type TestPerson } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

// Editing a profile reveals as little about other accounts as registering, and shares its limits.

const server = await startTestServer({ TRUST_PROXY_HOPS: '1' })
const guarded = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })

/** An account that is older than the window for repeated registrations. */
async function anOldAccount(of = server): Promise<string> {
  const { email } = await aNewcomer(of, 'SELLER', {}, newAddressHeaders())
  await of.query(`update users set created_at = created_at - interval '1 day' where email = $1`, [email])
  return email
}

const edit = (person: TestPerson, email: string) =>
  person.send(editUser, { body: { email } }, newAddressHeaders())

test.each([
  ['a verified person', () => aSeller(server)],
  ['an unverified person', () => aNewcomer(server, 'SELLER')],
])('gives %s the same response for taken and free addresses', async (_, aPerson) => {
  const [one, two] = [await aPerson(), await aPerson()]
  // Both addresses have the same length, so that the responses differ only in the address.
  const taken = await anOldAccount()
  const free = taken.replace('person', 'nobody')
  const looks = []
  for (const [person, email] of [
    [one, taken],
    [two, free],
  ] as const) {
    const { status, headers, body } = await edit(person, email)
    const { date, 'x-request-id': _id, ...others } = headers
    const plain = (text: string) =>
      text.replaceAll(email, 'the address').replaceAll(person.email, 'mine').replaceAll(person.id, 'me')
    const after = await person.ask(getUser)
    expect(after.pendingEmail).toBe(email)
    const again = await person.send(sendVerification, { body: { email } }, newAddressHeaders())
    looks.push([status, others, plain(body), plain(JSON.stringify(after)), again.status, plain(again.body)])
  }
  expect(looks[0]).toEqual(looks[1])
})

test('never creates a code for the address of another account, and emails its owner', async () => {
  const taken = await anOldAccount()
  for (const person of [await aSeller(server), await aNewcomer(server, 'BUYER')]) {
    await edit(person, taken)
    await server.query('update users set verified_at = keyturn_now() where email = $1', [taken])
    await person.send(sendVerification, { body: { email: taken } }, newAddressHeaders())
    const codes = await server.query('select 1 from email_codes where user_id = $1 and address = $2', [
      person.id,
      taken,
    ])
    expect(codes).toEqual([])
    const [tried] = await readEmailsTo(server, taken)
    expect(tried?.subject).toBe('You already have an account')
    // The sentence fits a registration as well as a change of address.
    expect(tried?.text).toContain('Someone just tried to use this email address for a Keyturn account.')
  }
})

test('emails the owner of an address at most three times, counting registrations and edits together', async () => {
  const taken = await anOldAccount(guarded)
  // The account's own registration was counted, too.
  await guarded.query('delete from throttles')
  const statuses = []
  for (let i = 0; i < 3; i++) {
    const body = aRegistration()
    const browser = guarded.browser()
    await browser.ask(register, { body }, newAddressHeaders())
    const again = { ...body, email: taken }
    statuses.push((await browser.send(editUser, { body: { email: taken } }, newAddressHeaders())).status)
    statuses.push((await guarded.browser().send(register, { body: again }, newAddressHeaders())).status)
  }
  // Both endpoints share the limit of registration, which allows three.
  expect(statuses).toEqual([200, 409, 200, 429, 429, 429])
  const tried = (await readEmailsTo(guarded, taken)).filter(({ subject }) =>
    subject.startsWith('You already'),
  )
  expect(tried).toHaveLength(3)
})
