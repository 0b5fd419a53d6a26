import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { describe, expect, test } from 'vitest'
import type { Browser, SentRequest } from '../../../../tests/support/browser.ts'
import { copyBrowser } from '../../../../tests/support/http/visitors.ts'
import { anAdministrator, aSeller } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'

// Rotation of refresh tokens, for both kinds of session: one code path, two sets of tables.

const server = await startTestServer()
const later = (interval: string) => server.moveClock(interval)
const { admin } = server.deps.config

type Kind = {
  name: string
  enter: () => Promise<Browser & { again: () => Promise<SentRequest<Endpoint>> }>
  refresh: Endpoint
  leave: Endpoint
  read: Endpoint
  /** Names of the cookies. */
  access: string
  renewal: string
  noAccess: string
  noRenewal: string
}

const kinds: Kind[] = [
  {
    name: 'a person',
    enter: async () => {
      const person = await aSeller(server)
      const body = { email: person.email, password: person.password }
      return { ...person, again: () => person.send<Endpoint>(calls.login, { body }) }
    },
    refresh: calls.refresh,
    leave: calls.logout,
    read: calls.getUser,
    access: 'at',
    renewal: 'rt',
    noAccess: 'InvalidAccessToken',
    noRenewal: 'InvalidRefreshToken',
  },
  {
    name: 'the administrator',
    enter: async () => {
      const browser = await anAdministrator(server)
      const body = { username: admin?.username, password: admin?.password }
      return { ...browser, again: () => browser.send<Endpoint>(calls.adminLogin, { body }) }
    },
    refresh: calls.adminRefresh,
    leave: calls.adminLogout,
    read: calls.listEmails,
    access: 'aat',
    renewal: 'art',
    noAccess: 'InvalidAdminAccessToken',
    noRenewal: 'InvalidAdminRefreshToken',
  },
]

describe.each(kinds)('$name', ({ enter, access, renewal, noAccess, noRenewal, ...calls }) => {
  const refresh = (browser: Browser) => browser.send(calls.refresh)
  const leave = (browser: Browser) => browser.send(calls.leave)
  const read = (browser: Browser) => browser.send(calls.read)
  const isIn = async (browser: Browser) => (await read(browser)).status === 200
  const copy = (browser: Browser) => copyBrowser(server, browser)

  // R-safe-15, R-accounts-29
  test('signs nobody out after twenty concurrent refreshes, and creates one new refresh token', async () => {
    const browser = await enter()
    const tabs = Array.from({ length: 20 }, () => copy(browser))
    const sent = await Promise.all(tabs.map(refresh))
    expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(tabs.map((tab) => tab.cookies.get(renewal))).size).toBe(2)
    for (const tab of tabs) expect(await isIn(tab)).toBe(true)
  })

  // R-accounts-29
  test('accepts the old token when the response to a refresh was lost, and voids the lost one', async () => {
    const browser = await enter()
    const lost = copy(browser)
    await refresh(lost)
    await later('31 seconds')
    expect((await refresh(browser)).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
    expect(await isIn(lost)).toBe(false)
    expect(await statusAndCode(refresh(lost))).toEqual([401, noRenewal])
    expect(await isIn(browser)).toBe(false)
    await later('0')
  })

  // R-safe-15
  test('detects the reuse of an old token even after a lost response', async () => {
    const browser = await enter()
    const thief = copy(browser)
    await refresh(copy(browser))
    await later('31 seconds')
    await refresh(browser)
    await refresh(browser)
    expect(await statusAndCode(refresh(thief))).toEqual([401, noRenewal])
    expect(await isIn(browser)).toBe(false)
    await later('0')
  })

  // R-safe-15
  test('ends the session when an old token is used again', async () => {
    const browser = await enter()
    const thief = copy(browser)
    await refresh(browser)
    await refresh(browser)
    expect(await statusAndCode(refresh(thief))).toEqual([401, noRenewal])
    // The mark that pages read is cleared, too.
    for (const gone of [access, renewal, 'am']) expect(thief.cookies.has(gone)).toBe(false)
    expect(thief.cookies.size).toBeGreaterThan(0)
    expect(await statusAndCode(read(browser))).toEqual([401, noAccess])
    expect(await statusAndCode(refresh(browser))).toEqual([401, noRenewal])
  })

  // R-safe-14
  test('ends access immediately on sign-out, even with copied cookies, and can be repeated', async () => {
    const browser = await enter()
    const stranger = await enter()
    const other = copy(browser)
    const sent = await leave(browser)
    expect(sent.headers['clear-site-data']).toBe('"cache", "storage"')
    expect([browser.cookies.has(access), browser.cookies.has(renewal)]).toEqual([false, false])
    expect(await statusAndCode(read(other))).toEqual([401, noAccess])
    expect(await statusAndCode(refresh(other))).toEqual([401, noRenewal])
    expect(await statusAndCode(read(other))).toEqual([401, noAccess])
    expect((await leave(browser)).status).toBe(200)
    expect(await isIn(stranger)).toBe(true)
  })

  test('leaves the browser signed out after a concurrent refresh and sign-out', async () => {
    for (let round = 0; round < 10; round++) {
      const browser = await enter()
      const tab = copy(browser)
      await Promise.all([leave(browser), refresh(tab)])
      expect(await isIn(tab)).toBe(false)
      expect((await refresh(tab)).status).toBe(401)
    }
  })

  test('ends the browser’s previous session on sign-in', async () => {
    const browser = await enter()
    const old = copy(browser)
    expect((await browser.again()).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
    expect(await isIn(old)).toBe(false)
  })

  // R-safe-16
  test('rejects a refresh without a valid token with its own error, and clears the cookies', async () => {
    const browser = server.browser()
    expect(await statusAndCode(refresh(browser))).toEqual([401, noRenewal])
    browser.cookies.set(renewal, 'x'.repeat(43))
    expect(await statusAndCode(refresh(browser))).toEqual([401, noRenewal])
    expect(browser.cookies.has(renewal)).toBe(false)
  })
})
