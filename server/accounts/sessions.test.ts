import {
  forgotPassword,
  getUser,
  login,
  logout,
  refresh,
  resetPassword,
} from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../test/browser.ts'
import { openHouse } from '../test/house.ts'
import { aSeller, aWholesaler, mailedCode, mailsTo } from '../test/people.ts'

const house = await openHouse()
const later = (interval: string) => house.moveClock(interval)
const jar = (browser: Browser) => new Map(browser.cookies)
/** A browser that holds these cookies: a second tab before it heard of new ones, or a thief. */
const copyOf = (cookies: Map<string, string>) => {
  const browser = house.browser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}
const isIn = async (browser: Browser) => (await browser.send(getUser)).status === 200

test('access ends after ten minutes, and one refresh brings it back', async () => {
  const person = await aSeller(house)
  await later('11 minutes')
  expect((await person.send(getUser)).refusal.errorCode).toBe('InvalidAccessToken')
  const before = jar(person)
  expect((await person.send(refresh)).status).toBe(200)
  expect(person.cookies.get('at')).not.toBe(before.get('at'))
  expect(person.cookies.get('rt')).not.toBe(before.get('rt'))
  expect(await isIn(person)).toBe(true)
  await later('0')
})

test('twenty refreshes at once sign nobody out, and one new refresh token is made', async () => {
  const person = await aSeller(house)
  const tabs = Array.from({ length: 20 }, () => copyOf(person.cookies))
  const sent = await Promise.all(tabs.map((tab) => tab.send(refresh)))
  expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const made = new Set(tabs.map((tab) => tab.cookies.get('rt')))
  expect(made.size).toBe(2)
  for (const tab of tabs) expect(await isIn(tab)).toBe(true)
})

test('when the answer to a refresh is lost, the old token still works, and the lost one dies', async () => {
  const person = await aSeller(house)
  const lost = copyOf(person.cookies)
  await lost.send(refresh)
  await later('31 seconds')
  expect((await person.send(refresh)).status).toBe(200)
  expect(await isIn(person)).toBe(true)
  expect(await isIn(lost)).toBe(false)
  await later('0')
})

test('an old token that comes again ends the whole session, and its person hears of it', async () => {
  const person = await aSeller(house)
  const thief = copyOf(person.cookies)
  await person.send(refresh)
  await person.send(refresh)
  const sent = await thief.send(refresh)
  expect([sent.status, sent.refusal.errorCode]).toEqual([401, 'InvalidRefreshToken'])
  expect(thief.cookies.has('rt')).toBe(false)
  expect(await isIn(person)).toBe(false)
  expect((await person.send(refresh)).refusal.errorCode).toBe('InvalidRefreshToken')
  expect((await mailsTo(house, person.email))[0]?.subject).toBe('We signed you out for safety')
})

test('a thief who is faster is found out when the owner comes', async () => {
  const person = await aSeller(house)
  const thief = copyOf(person.cookies)
  await later('1 minute')
  await person.send(refresh)
  const owners = copyOf(person.cookies)
  await later('2 minutes')
  expect((await thief.send(refresh)).status).toBe(200)
  expect((await owners.send(refresh)).status).toBe(401)
  expect(await isIn(thief)).toBe(false)
  await later('0')
})

test('signing out ends access at once, for copies too, and again is no fault', async () => {
  const person = await aSeller(house)
  const copy = copyOf(person.cookies)
  const sent = await person.send(logout)
  expect(sent.headers['clear-site-data']).toBe('"cache", "storage"')
  expect([person.cookies.has('at'), person.cookies.has('rt')]).toEqual([false, false])
  expect(await isIn(copy)).toBe(false)
  expect((await copy.send(refresh)).status).toBe(401)
  expect((await person.send(logout)).status).toBe(200)
})

test('refresh and sign-out at once end signed out', async () => {
  for (let round = 0; round < 10; round++) {
    const person = await aSeller(house)
    const tab = copyOf(person.cookies)
    await Promise.all([person.send(logout), tab.send(refresh)])
    expect(await isIn(tab)).toBe(false)
    expect((await tab.send(refresh)).status).toBe(401)
  }
})

test('signing in ends the session that the browser came with', async () => {
  const person = await aSeller(house)
  const old = copyOf(person.cookies)
  await person.ask(login, { body: { email: person.email, password: person.password } })
  expect(await isIn(person)).toBe(true)
  expect(await isIn(old)).toBe(false)
})

test('a session lies idle for seven days at most and lives for thirty', async () => {
  const person = await aSeller(house)
  for (const day of [6, 12, 18, 24, 29]) {
    await later(`${day} days`)
    expect((await person.send(refresh)).status).toBe(200)
  }
  await later('30 days 1 minute')
  expect((await person.send(refresh)).status).toBe(401)
  await later('0')
  const idle = await aSeller(house)
  await later('7 days 1 minute')
  expect((await idle.send(refresh)).status).toBe(401)
  await later('0')
})

test("a wholesaler's session lies idle for twelve hours at most and lives for a day", async () => {
  const idle = await aWholesaler(house)
  const busy = await aWholesaler(house)
  await later('11 hours')
  expect((await busy.send(refresh)).status).toBe(200)
  await later('12 hours 1 minute')
  expect((await idle.send(refresh)).status).toBe(401)
  await later('22 hours')
  expect((await busy.send(refresh)).status).toBe(200)
  await later('24 hours 1 minute')
  expect((await busy.send(refresh)).status).toBe(401)
  await later('0')
})

test('a refresh without a token, or with nonsense, is refused by its own code and clears the cookies', async () => {
  const browser = house.browser()
  expect((await browser.send(refresh)).refusal.errorCode).toBe('InvalidRefreshToken')
  browser.cookies.set('rt', 'x'.repeat(43))
  const sent = await browser.send(refresh)
  expect([sent.status, sent.refusal.errorCode, browser.cookies.has('rt')]).toEqual([
    401,
    'InvalidRefreshToken',
    false,
  ])
})

test('a bad cookie on a call that is open to anyone is nobody', async () => {
  const browser = house.browser()
  browser.cookies.set('at', 'x'.repeat(43))
  expect((await browser.send(forgotPassword, { body: { email: 'a@example.com' } })).status).toBe(200)
})

test('another site cannot sign anyone out or refresh; neither can HEAD', async () => {
  const person = await aSeller(house)
  const elsewhere: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ]
  for (const headers of elsewhere)
    for (const call of [logout, refresh])
      expect((await person.send(call, {}, headers)).refusal.errorCode).toBe('CsrfRejected')
  const head = await house.app.inject({ method: 'HEAD', url: '/auth/logout' })
  expect(head.statusCode).toBe(405)
  expect(await isIn(person)).toBe(true)
})

test('a password reset ends every session, a sign-in under way included', async () => {
  const person = await aSeller(house)
  await person.ask(forgotPassword, { body: { email: person.email } })
  const verificationCode = await mailedCode(house, person.email, '/password/reset')
  const other = house.browser()
  const password = 'a whole new thing'
  await Promise.all([
    ...Array.from({ length: 5 }, () =>
      other.send(login, { body: { email: person.email, password: person.password } }),
    ),
    person.send(resetPassword, { body: { password, confirmPassword: password, verificationCode } }),
  ])
  const [live] = await house.query<{ count: number }>(
    'select count(*)::int as count from sessions where user_id = $1 and ended_at is null',
    [person.id],
  )
  expect(live?.count).toBe(0)
  expect([await isIn(person), await isIn(other)]).toEqual([false, false])
})

test('tokens are at rest as hashes only', async () => {
  const person = await aSeller(house)
  const rows = await house.query<{ row: string }>(
    `select t::text as row from access_tokens t union all select t::text from refresh_tokens t union all select t::text from sessions t`,
  )
  const all = rows.map(({ row }) => row).join('\n')
  for (const name of ['at', 'rt']) {
    const token = person.cookies.get(name) ?? ''
    expect(token).toHaveLength(43)
    expect(all).not.toContain(token)
    expect(all).not.toContain(Buffer.from(token).toString('hex'))
  }
})
