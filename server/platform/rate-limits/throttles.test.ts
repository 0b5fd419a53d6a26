import { forgotPassword, login, sendVerification } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { collectStatuses, newAddressHeaders } from '../../../tests/support/http/visitors.ts'
import { aNewcomer, readEmailsTo } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { deleteExpiredThrottles } from './throttle-repository.ts'
import { throttleLimits, tryConsumeLimit } from './throttles.ts'

const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const wrong = 'not the password'
const tryPassword = (browser: Browser, email: string, password: string, from = newAddressHeaders()) =>
  browser.send(login, { body: { email, password } }, from)
const aPerson = () => aNewcomer(server, 'SELLER', {}, newAddressHeaders())

test('checks only five of a hundred concurrent guesses', async () => {
  const person = await aPerson()
  // Long enough that the first pause does not end before the last request.
  await server.stopClock(new Date().toISOString())
  const sent = await Promise.all(
    Array.from({ length: 100 }, () => tryPassword(server.browser(), person.email, wrong)),
  )
  await server.moveClock('0 seconds')
  const statuses = sent.map(({ status }) => status)
  // The fifth failure starts the pauses, so five concurrent attempts are checked.
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(95)
  const refused = sent.find(({ status }) => status === 429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused?.error.message).toMatch(/^Too many tries\. Please try again in \d+ (second|minute)s?\.$/)
})

test('doubles pauses from the fifth failure on, and blocks the network for 15 min after the tenth', async () => {
  const email = 'nobody@example.com'
  const waits: number[] = []
  for (let seconds = 0; seconds < 200; seconds++) {
    const wait = await tryConsumeLimit(server.deps, throttleLimits.signInFromNetwork, email)
    if (wait === 0) continue
    if (waits.length === 6) break
    waits.push(wait)
    await server.moveClock(`${waits.reduce((sum, pause) => sum + pause, 0)} seconds`)
  }
  expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16])
  expect(waits[5]).toBeGreaterThan(800)
  await server.moveClock('16 minutes')
  expect(await tryConsumeLimit(server.deps, throttleLimits.signInFromNetwork, email)).toBe(0)
  await server.moveClock('0')
})

// R-everywhere-19
test('does not block anybody longer than the limit when the clock is set back, and keeps the count', async () => {
  for (const step of ['1 minute', '1 hour', '1 year']) {
    const address = `stepped back ${step}`
    const take = () => tryConsumeLimit(server.deps, throttleLimits.refreshFromIp, address)
    await server.moveClock(step)
    for (let i = 0; i < throttleLimits.refreshFromIp.max; i++) await take()
    expect(await take()).toBeGreaterThan(0)
    await server.moveClock('0')
    // The first request corrects the impossible time: the count remains, and the window ends within
    // a minute.
    await take()
    const left = await take()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(60)
    await server.moveClock('61 seconds')
    expect(await take()).toBe(0)
  }
  await server.moveClock('0')
})

test('does not extend a pause when the clock is set back', async () => {
  const take = () => tryConsumeLimit(server.deps, throttleLimits.signInToAddress, 'paused@example.com')
  // A one-second pause could end while a slow machine still sends requests.
  await server.stopClock('2030-01-01 00:01:00Z')
  for (let i = 0; i < 5; i++) expect(await take()).toBe(0)
  expect(await take()).toBe(1)
  await server.stopClock('2030-01-01 00:00:00Z')
  expect(await take()).toBe(0)
  expect(await take()).toBe(2)
  await server.moveClock('0')
})

test('ends a window at the time that its first request determined', async () => {
  const take = () => tryConsumeLimit(server.deps, throttleLimits.resetFromIp, 'late turns')
  await server.stopClock('2030-01-01 12:00:00Z')
  expect(await take()).toBe(0)
  await server.stopClock('2030-01-01 12:50:00Z')
  for (let i = 1; i < throttleLimits.resetFromIp.max; i++) expect(await take()).toBe(0)
  expect(await take()).toBe(600)
  await server.stopClock('2030-01-01 13:00:01Z')
  expect(await take()).toBe(0)
  await server.moveClock('0')
})

test('deletes a count after its window and its pause', async () => {
  await server.query('delete from throttles')
  await server.query(`insert into throttles (bucket, count, window_ends_at, free_at) values
    ('both over', 9, keyturn_now() - interval '3 minutes', keyturn_now() - interval '1 minute'),
    ('window runs', 9, keyturn_now() + interval '1 minute', 'epoch'),
    ('pause runs', 9, keyturn_now() - interval '3 minutes', keyturn_now() + interval '1 minute')`)
  await deleteExpiredThrottles(server.deps.db)
  const left = await server.query('delete from throttles returning bucket')
  expect(left.map(({ bucket }) => bucket).sort()).toEqual(['pause runs', 'window runs'])
})

test('gives a known browser its own limit, only for its own address', async () => {
  const [person, other] = [await aPerson(), await aPerson()]
  const guessed = await collectStatuses(6, () => tryPassword(person, person.email, wrong))
  expect(guessed).toEqual([401, 401, 401, 401, 401, 429])
  await collectStatuses(5, () => tryPassword(server.browser(), other.email, wrong))
  expect((await tryPassword(person, other.email, other.password)).status).toBe(429)
})

test('resets the count after a successful sign-in, per address', async () => {
  const [one, two] = [await aPerson(), await aPerson()]
  const home = newAddressHeaders()
  const tryAtHome = (email: string, password: string) => tryPassword(server.browser(), email, password, home)
  await collectStatuses(4, () => tryAtHome(one.email, wrong))
  expect((await tryAtHome(one.email, one.password)).status).toBe(200)
  expect(await collectStatuses(4, () => tryAtHome(one.email, wrong))).toEqual([401, 401, 401, 401])
  expect((await tryAtHome(two.email, two.password)).status).toBe(200)
})

test('accepts the fourth email request within an hour like the others, but sends nothing', async () => {
  const { email } = await aPerson()
  for (const [call, already] of [
    [sendVerification, 1],
    [forgotPassword, 4],
  ] as const) {
    const answers = new Set<string>()
    for (let i = 0; i < 5; i++) {
      const { status, body } = await server.browser().send(call, { body: { email } }, newAddressHeaders())
      answers.add(`${status} ${body}`)
    }
    expect(answers.size).toBe(1)
    expect(await readEmailsTo(server, email)).toHaveLength(already + 3)
  }
})
