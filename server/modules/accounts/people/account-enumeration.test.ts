import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { expect, test } from 'vitest'
import type { SentRequest } from '../../../../tests/support/browser.ts'
import { aRegistration, newAddressHeaders } from '../../../../tests/support/http/visitors.ts'
import { aNewcomer, aSeller } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

// A response, its headers and its time must not reveal who has an account.

const server = await startTestServer()
const guarded = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const floorMs = 295

// R-safe-18
test('takes as long to reject an unknown address as a wrong password', async () => {
  const { email } = await aSeller(server)
  let count = 0
  const taken = await timesOf(
    () => signIn(email),
    () => signIn(`nobody-${++count}@example.com`),
  )
  expect(ratio(taken)).toBeLessThan(3)
})

// R-safe-18, R-accounts-20
test('returns the same response for an unknown address as for a wrong password', async () => {
  const { email } = await aSeller(server)
  const [somebody, nobody] = [await signIn(email), await signIn('nobody@example.com')]
  expect([somebody.status, somebody.error]).toEqual([
    401,
    { errorCode: 'InvalidCredentials', message: 'Invalid email or password.' },
  ])
  expect(look(nobody)).toEqual(look(somebody))
})

test('responds to requests for emails no sooner than after the minimum time', async () => {
  const known = aRegistration()
  const register = () => guarded.browser().send(calls.register, { body: known }, newAddressHeaders())
  const ask = (call: typeof calls.sendVerification | typeof calls.forgotPassword, email: string) =>
    guarded.browser().send(call, { body: { email } }, newAddressHeaders())
  const person = await aNewcomer(guarded, 'BUYER', {}, newAddressHeaders())
  const edit = (email: string) => person.send(calls.editUser, { body: { email } }, newAddressHeaders())
  const tries: [number, () => Promise<{ status: number }>][] = [
    [201, register],
    [409, register],
    [200, () => ask(calls.sendVerification, known.email)],
    [200, () => ask(calls.sendVerification, 'nobody@example.com')],
    [200, () => ask(calls.forgotPassword, known.email)],
    [200, () => ask(calls.forgotPassword, 'nobody@example.com')],
    [200, () => edit(known.email)],
    [200, () => edit('nobody@example.com')],
  ]
  for (const [status, go] of tries) {
    const begun = performance.now()
    expect((await go()).status).toBe(status)
    expect(performance.now() - begun).toBeGreaterThan(floorMs)
  }
})

const signIn = (email: string) =>
  server.browser().send(calls.login, { body: { email, password: 'not the password' } })

/** The response without the date and the request id. */
function look({ status, headers, body }: Omit<SentRequest<Endpoint>, 'answer'>) {
  const { date, 'x-request-id': id, ...others } = headers
  return { status, body: body.replaceAll(String(id), '#'), headers: others, dated: typeof date }
}

/** Measures alternately, so that other load affects both alike. */
async function timesOf(one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round <= 15; round++)
    for (const [index, work] of [one, other].entries()) {
      const begun = performance.now()
      await work()
      // The first round is a warm-up.
      if (round > 0) times[index]?.push(performance.now() - begun)
    }
  return times
}

/** The ratio of the medians; a response without a hash is twenty times as fast. */
function ratio([one, other]: [number[], number[]]): number {
  const [a, b] = [median(one), median(other)]
  return Math.max(a, b) / Math.min(a, b)
}
const median = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
