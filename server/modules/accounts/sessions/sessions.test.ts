import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import { confirmedPassword, copyBrowser } from '../../../../tests/support/http/visitors.ts'
import { aSeller, aWholesaler, readEmailedCode, readEmailsTo } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const server = await startTestServer()
const later = (interval: string) => server.moveClock(interval)
const isIn = async (browser: Browser) => (await browser.send(calls.getUser)).status === 200
const refreshed = async (browser: Browser) => (await browser.send(calls.refresh)).status

test('renews access, which ends after ten minutes, with one refresh', async () => {
  const person = await aSeller(server)
  await later('11 minutes')
  expect((await person.send(calls.getUser)).error.errorCode).toBe('InvalidAccessToken')
  const before = [...person.cookies.values()]
  expect(await refreshed(person)).toBe(200)
  for (const name of ['at', 'rt']) expect(before).not.toContain(person.cookies.get(name))
  expect(await isIn(person)).toBe(true)
  await later('0')
})

test('notifies a person when an old token is replayed', async () => {
  const person = await aSeller(server)
  const thief = copyBrowser(server, person)
  await refreshed(person)
  await refreshed(person)
  expect(await refreshed(thief)).toBe(401)
  expect((await readEmailsTo(server, person.email))[0]?.subject).toBe('We signed you out for safety')
})

// R-accounts-28
test('ends a session after seven idle days, or after thirty days', async () => {
  const [person, idle] = [await aSeller(server), await aSeller(server)]
  for (const day of [6, 12, 18, 24, 29]) {
    await later(`${day} days`)
    expect(await refreshed(person)).toBe(200)
    if (day === 12) expect(await refreshed(idle)).toBe(401)
  }
  await later('30 days 1 minute')
  expect(await refreshed(person)).toBe(401)
  await later('0')
})

test('ends a wholesaler’s session after twelve idle hours, or after a day', async () => {
  const [idle, busy] = [await aWholesaler(server), await aWholesaler(server)]
  const at = async (clock: string, person: Browser) => {
    await later(clock)
    return refreshed(person)
  }
  expect(await at('11 hours', busy)).toBe(200)
  expect(await at('12 hours 1 minute', idle)).toBe(401)
  expect(await at('22 hours', busy)).toBe(200)
  expect(await at('24 hours 1 minute', busy)).toBe(401)
  await later('0')
})

// R-accounts-32
test('treats a request with an invalid cookie as signed out on a public endpoint', async () => {
  const browser = server.browser()
  browser.cookies.set('at', 'x'.repeat(43))
  expect((await browser.send(calls.forgotPassword, { body: { email: 'a@example.com' } })).status).toBe(200)
})

// R-safe-14
test('ends every session on a password reset, including a concurrent sign-in', async () => {
  const person = await aSeller(server)
  const { id, email, password } = person
  await person.ask(calls.forgotPassword, { body: { email } })
  const verificationCode = await readEmailedCode(server, email, '/password/reset')
  const other = server.browser()
  await Promise.all([
    ...Array.from({ length: 5 }, () => other.send(calls.login, { body: { email, password } })),
    person.send(calls.resetPassword, {
      body: { ...confirmedPassword('a whole new thing'), verificationCode },
    }),
  ])
  const open = await server.query('select from sessions where user_id = $1 and ended_at is null', [id])
  expect(open).toEqual([])
  expect([await isIn(person), await isIn(other)]).toEqual([false, false])
})

// R-safe-17
test('stores tokens only as hashes', async () => {
  const person = await aSeller(server)
  const rows = await server.query<{ row: string }>(
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
