import {
  forgotPassword,
  getUser,
  login,
  logout,
  refresh,
  resetPassword,
} from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import type { Browser } from '../../test/browser.ts'
import { openHouse } from '../../test/house.ts'
import { aSeller, aWholesaler, mailedCode, mailsTo } from '../../test/people.ts'
import { endSessions } from '../actions.ts'

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

test('a person hears of it when an old token of theirs came again', async () => {
  const person = await aSeller(house)
  const thief = copyOf(person.cookies)
  await person.send(refresh)
  await person.send(refresh)
  expect((await thief.send(refresh)).status).toBe(401)
  expect((await mailsTo(house, person.email))[0]?.subject).toBe('We signed you out for safety')
})

// R-accounts-28
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

// R-accounts-32
test('a bad cookie on a call that is open to anyone is nobody', async () => {
  const browser = house.browser()
  browser.cookies.set('at', 'x'.repeat(43))
  expect((await browser.send(forgotPassword, { body: { email: 'a@example.com' } })).status).toBe(200)
})

// R-safe-14
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

test('a session keeps the reason that it ended for', async () => {
  const person = await aSeller(house)
  const old = copyOf(person.cookies)
  await person.ask(login, { body: { email: person.email, password: person.password } })
  await old.ask(logout)
  await transaction(house.deps.db, (tx) => endSessions(tx, person.id, 'a test'))
  const reasons = await house.query(
    'select ended_because as reason from sessions where user_id = $1 order by ended_at',
    [person.id],
  )
  expect(reasons).toEqual([{ reason: 'replaced by a sign-in' }, { reason: 'a test' }])
})

// R-safe-17
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
