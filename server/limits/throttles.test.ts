import {
  adminLogin,
  forgotPassword,
  getUser,
  login,
  refresh,
  register,
  resetPassword,
  sendVerification,
} from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { openDatabase } from '../db/open.ts'
import { type Browser, openBrowser } from '../test/browser.ts'
import { openHouse } from '../test/house.ts'
import { aForm, aNewcomer, mailedCode, mailsTo, type TestPerson } from '../test/people.ts'
import { deleteOldTurns } from './throttle-store.ts'
import { limits, network, waitFor } from './throttles.ts'

const house = await openHouse({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const wrong = 'not the password'

let addresses = 0
/** Every test comes from an address of its own. */
const from = (ip = `198.51.100.${++addresses}`) => ({ 'x-forwarded-for': ip })
const tryPassword = (browser: Browser, email: string, password: string, headers = from()) =>
  browser.send(login, { body: { email, password } }, headers)

async function aPerson(): Promise<TestPerson> {
  const form = aForm()
  const browser = house.browser()
  const body = { ...form, userType: 'SELLER', confirmPassword: form.password }
  const sent = await browser.send(register, { body }, from())
  return { ...form, ...browser, id: sent.answer._id }
}

test('of a hundred guesses at once five are looked at, and none of the others', async () => {
  const person = await aPerson()
  // However long a hundred take, the first pause is not over before the last one asks.
  await house.stopClock(new Date().toISOString())
  const sent = await Promise.all(
    Array.from({ length: 100 }, () => tryPassword(house.browser(), person.email, wrong)),
  )
  await house.moveClock('0 seconds')
  const statuses = sent.map(({ status }) => status)
  // From the fifth on each one asks for a pause, so five of those at once are looked at.
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(95)
  const refused = sent.find(({ status }) => status === 429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused?.refusal.message).toMatch(/^Too many tries\. Please try again in \d+ (second|minute)s?\.$/)
})

test('pauses double from the fifth failure on, the tenth closes the door to that network for a quarter of an hour', async () => {
  const email = 'nobody@example.com'
  const waits: number[] = []
  for (let seconds = 0; seconds < 200; seconds++) {
    const wait = await waitFor(house.deps, limits.signInFromNetwork, email)
    if (wait === 0) continue
    if (waits.length === 6) break
    waits.push(wait)
    await house.moveClock(`${waits.reduce((sum, pause) => sum + pause, 0)} seconds`)
  }
  expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16])
  expect(waits[5]).toBeGreaterThan(800)
  await house.moveClock('16 minutes')
  expect(await waitFor(house.deps, limits.signInFromNetwork, email)).toBe(0)
  await house.moveClock('0')
})

// R-everywhere-19
test('a clock that steps back bars nobody for longer than the limit says, and forgets no count', async () => {
  for (const step of ['1 minute', '1 hour', '1 year']) {
    const address = `stepped back ${step}`
    const take = () => waitFor(house.deps, limits.refreshFromIp, address)
    await house.moveClock(step)
    for (let i = 0; i < limits.refreshFromIp.most; i++) await take()
    expect(await take()).toBeGreaterThan(0)
    await house.moveClock('0')
    // The first one finds what cannot be and puts it right: the count stands, and ends a minute from now at the latest.
    await take()
    const left = await take()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(60)
    await house.moveClock('61 seconds')
    expect(await take()).toBe(0)
  }
  await house.moveClock('0')
})

test('a clock that steps back makes no pause between two tries longer', async () => {
  const take = () => waitFor(house.deps, limits.signInToAddress, 'paused@example.com')
  // A pause of a second would be over while a slow machine still asks.
  await house.stopClock('2030-01-01 00:01:00Z')
  for (let i = 0; i < 5; i++) expect(await take()).toBe(0)
  expect(await take()).toBe(1)
  await house.stopClock('2030-01-01 00:00:00Z')
  expect(await take()).toBe(0)
  expect(await take()).toBe(2)
  await house.moveClock('0')
})

test('turns that were counted ahead of the clock go on counting, in a window of the limit’s own length', async () => {
  const take = () => waitFor(house.deps, limits.refreshFromIp, 'counted ahead')
  await house.moveClock('1 hour')
  for (let i = 0; i < 3; i++) expect(await take()).toBe(0)
  await house.moveClock('0')
  for (let i = 3; i < limits.refreshFromIp.most; i++) expect(await take()).toBe(0)
  const left = await take()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(60)
})

test('a window ends when its first turn said, however late the last one came', async () => {
  const take = () => waitFor(house.deps, limits.resetFromIp, 'late turns')
  await house.stopClock('2030-01-01 12:00:00Z')
  expect(await take()).toBe(0)
  await house.stopClock('2030-01-01 12:50:00Z')
  for (let i = 1; i < limits.resetFromIp.most; i++) expect(await take()).toBe(0)
  expect(await take()).toBe(600)
  await house.stopClock('2030-01-01 13:00:01Z')
  expect(await take()).toBe(0)
  await house.moveClock('0')
})

test('a count is cleared away when its window and its pause are both over', async () => {
  await house.query('delete from throttles')
  await house.query(`insert into throttles (bucket, count, window_ends_at, free_at) values
    ('both over', 9, keyturn_now() - interval '3 minutes', keyturn_now() - interval '1 minute'),
    ('window runs', 9, keyturn_now() + interval '1 minute', 'epoch'),
    ('pause runs', 9, keyturn_now() - interval '3 minutes', keyturn_now() + interval '1 minute')`)
  await deleteOldTurns(house.deps.db)
  const left = await house.query('delete from throttles returning bucket')
  expect(left.map(({ bucket }) => bucket).sort()).toEqual(['pause runs', 'window runs'])
})

test('a stranger who guesses cannot lock out a browser that signed in before', async () => {
  const person = await aPerson()
  const stranger = house.browser()
  for (let i = 0; i < 8; i++) await tryPassword(stranger, person.email, wrong)
  expect((await tryPassword(stranger, person.email, person.password)).status).toBe(429)
  expect((await tryPassword(person, person.email, person.password)).status).toBe(200)
})

test('a known browser has a limit of its own, and its cookie is good for its own address only', async () => {
  const [person, other] = [await aPerson(), await aPerson()]
  for (let i = 0; i < 5; i++) expect((await tryPassword(person, person.email, wrong)).status).toBe(401)
  expect((await tryPassword(person, person.email, wrong)).status).toBe(429)
  for (let i = 0; i < 5; i++) await tryPassword(house.browser(), other.email, wrong)
  expect((await tryPassword(person, other.email, other.password)).status).toBe(429)
})

test('somebody locked out on a new device gets in by a password reset', async () => {
  const person = await aPerson()
  const device = house.browser()
  for (let i = 0; i < 6; i++) await tryPassword(device, person.email, wrong)
  await device.ask(forgotPassword, { body: { email: person.email } }, from())
  const verificationCode = await mailedCode(house, person.email, '/password/reset')
  const password = 'green bottles on a wall'
  await device.ask(resetPassword, { body: { password, confirmPassword: password, verificationCode } }, from())
  for (let i = 0; i < 6; i++) await tryPassword(house.browser(), person.email, wrong)
  expect((await tryPassword(device, person.email, password)).status).toBe(200)
})

test('signing in well resets the count; one address in a house does not stop the others', async () => {
  const [one, two] = [await aPerson(), await aPerson()]
  const home = from()
  for (let i = 0; i < 4; i++) await tryPassword(house.browser(), one.email, wrong, home)
  expect((await tryPassword(house.browser(), one.email, one.password, home)).status).toBe(200)
  for (let i = 0; i < 4; i++)
    expect((await tryPassword(house.browser(), one.email, wrong, home)).status).toBe(401)
  expect((await tryPassword(house.browser(), two.email, two.password, home)).status).toBe(200)
})

test('fifty failures from one address are enough, whatever else it claims to be', async () => {
  const ip = '203.0.113.9'
  const spoofed = () => ({ 'x-forwarded-for': `10.0.0.${++addresses}, ${ip}` })
  for (let i = 0; i < 50; i++)
    expect((await tryPassword(house.browser(), `guess-${i}@example.com`, wrong, spoofed())).status).toBe(401)
  expect((await tryPassword(house.browser(), 'guess-50@example.com', wrong, spoofed())).status).toBe(429)
  expect((await tryPassword(house.browser(), 'guess-51@example.com', wrong)).status).toBe(401)
})

test('a sixth registration from one address waits, and a fourth of one e-mail address', async () => {
  const home = from()
  const registerAs = (email: string, headers: Record<string, string>) => {
    const form = aForm({ email })
    return house
      .browser()
      .send(register, { body: { ...form, confirmPassword: form.password, userType: 'BUYER' } }, headers)
  }
  for (let i = 0; i < 5; i++) expect((await registerAs(`home-${i}@example.com`, home)).status).toBe(201)
  expect((await registerAs('home-6@example.com', home)).status).toBe(429)
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await registerAs('same@example.com', from())).status)
  expect(statuses).toEqual([201, 409, 409, 429])
})

test('the fourth mail within an hour is promised like the others, and not sent', async () => {
  const person = await aPerson()
  for (const [call, already] of [
    [sendVerification, 1],
    [forgotPassword, 4],
  ] as const) {
    const sent = []
    for (let i = 0; i < 5; i++)
      sent.push(await house.browser().send(call, { body: { email: person.email } }, from()))
    expect(new Set(sent.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect(await mailsTo(house, person.email)).toHaveLength(already + 3)
  }
})

test('the administrator has five tries in a quarter of an hour', async () => {
  const statuses = []
  const body = { username: 'admin', password: wrong }
  for (let i = 0; i < 6; i++) statuses.push((await house.browser().send(adminLogin, { body }, from())).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  await house.query('delete from throttles')
})

test('thirty refreshes of one session within a minute are enough', async () => {
  const person = await aPerson()
  const statuses = []
  for (let i = 0; i < 31; i++) statuses.push((await person.send(refresh, {}, from())).status)
  expect(statuses).toEqual([...Array(30).fill(200), 429])
  expect((await person.send(getUser)).status).toBe(200)
})

test('two servers on one database share sessions and counters', async () => {
  const person = await aNewcomer(house, 'SELLER')
  const database = openDatabase({ connectionString: house.databaseUrl })
  const deps = { ...house.deps, db: database.db, pool: database.pool }
  const app = await buildApp(deps, new URL('../../dist/web/', import.meta.url))
  const there = openBrowser(app)
  for (const [name, value] of person.cookies) there.cookies.set(name, value)
  expect((await there.ask(getUser))._id).toBe(person.id)
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      tryPassword(i % 2 ? openBrowser(app) : house.browser(), person.email, wrong),
    ),
  )
  expect(sent.filter(({ status }) => status === 401)).toHaveLength(5)
  await app.close()
  await database.close()
})

test('an IPv6 household is one address', () => {
  expect(network('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2')
  expect(network('2001:db8::1')).toBe('2001:db8:0:0')
  expect(network('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(network('192.0.2.1')).toBe('192.0.2.1')
})
