import * as calls from '@keyturn/contract/accounts/calls.ts'
import type { Call } from '@keyturn/contract/kit/call.ts'
import { describe, expect, test } from 'vitest'
import type { Browser, Sent } from '../../test/browser.ts'
import { openHouse } from '../../test/house.ts'
import { anAdministrator, aSeller } from '../../test/people.ts'

// A sign-in and all that was refreshed from it, for both kinds of session: one code path, two sets of tables.

const house = await openHouse()
const later = (interval: string) => house.moveClock(interval)
const { admin } = house.deps.config

type Told = Promise<Omit<Sent<Call>, 'answer'>>
type Kind = {
  name: string
  enter: () => Promise<Browser & { again: () => Told }>
  refresh: (browser: Browser) => Told
  leave: (browser: Browser) => Told
  read: (browser: Browser) => Told
  /** The names of the cookies. */
  access: string
  renewal: string
  noAccess: string
  noRenewal: string
}

const kinds: Kind[] = [
  {
    name: 'a person',
    enter: async () => {
      const person = await aSeller(house)
      const body = { email: person.email, password: person.password }
      return { ...person, again: () => person.send(calls.login, { body }) }
    },
    refresh: (browser) => browser.send(calls.refresh),
    leave: (browser) => browser.send(calls.logout),
    read: (browser) => browser.send(calls.getUser),
    access: 'at',
    renewal: 'rt',
    noAccess: 'InvalidAccessToken',
    noRenewal: 'InvalidRefreshToken',
  },
  {
    name: 'the administrator',
    enter: async () => {
      const browser = await anAdministrator(house)
      const body = { username: admin?.username, password: admin?.password }
      return { ...browser, again: () => browser.send(calls.adminLogin, { body }) }
    },
    refresh: (browser) => browser.send(calls.adminRefresh),
    leave: (browser) => browser.send(calls.adminLogout),
    read: (browser) => browser.send(calls.listMails),
    access: 'aat',
    renewal: 'art',
    noAccess: 'InvalidAdminAccessToken',
    noRenewal: 'InvalidAdminRefreshToken',
  },
]

describe.each(kinds)('$name', ({ enter, refresh, leave, read, access, renewal, noAccess, noRenewal }) => {
  const isIn = async (browser: Browser) => (await read(browser)).status === 200
  const refused = async (told: Told) => {
    const { status, refusal } = await told
    return [status, refusal.errorCode]
  }

  // R-safe-15, R-accounts-29
  test('twenty refreshes at once sign nobody out, and one new refresh token is made', async () => {
    const browser = await enter()
    const tabs = Array.from({ length: 20 }, () => copyOf(browser))
    const sent = await Promise.all(tabs.map(refresh))
    expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(tabs.map((tab) => tab.cookies.get(renewal))).size).toBe(2)
    for (const tab of tabs) expect(await isIn(tab)).toBe(true)
  })

  // R-accounts-29
  test('when the answer to a refresh is lost, the old token still works, and the lost one dies', async () => {
    const browser = await enter()
    const lost = copyOf(browser)
    await refresh(lost)
    await later('31 seconds')
    expect((await refresh(browser)).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
    expect(await isIn(lost)).toBe(false)
    expect(await refused(refresh(lost))).toEqual([401, noRenewal])
    await later('0')
  })

  // R-safe-15
  test('an old token is found out even where the answer to it was lost once', async () => {
    const browser = await enter()
    const thief = copyOf(browser)
    await refresh(copyOf(browser))
    await later('31 seconds')
    await refresh(browser)
    await refresh(browser)
    expect(await refused(refresh(thief))).toEqual([401, noRenewal])
    expect(await isIn(browser)).toBe(false)
    await later('0')
  })

  // R-safe-15
  test('an old token that comes again ends the whole session', async () => {
    const browser = await enter()
    const thief = copyOf(browser)
    await refresh(browser)
    await refresh(browser)
    expect(await refused(refresh(thief))).toEqual([401, noRenewal])
    // A marker of the session that pages read goes with it.
    for (const gone of [access, renewal, 'am']) expect(thief.cookies.has(gone)).toBe(false)
    expect(thief.cookies.size).toBeGreaterThan(0)
    expect(await refused(read(browser))).toEqual([401, noAccess])
    expect(await refused(refresh(browser))).toEqual([401, noRenewal])
  })

  test('a thief who is faster is found out when the owner comes', async () => {
    const browser = await enter()
    const thief = copyOf(browser)
    await later('1 minute')
    await refresh(browser)
    const owners = copyOf(browser)
    await later('2 minutes')
    expect((await refresh(thief)).status).toBe(200)
    expect(await refused(refresh(owners))).toEqual([401, noRenewal])
    expect(await isIn(thief)).toBe(false)
    await later('0')
  })

  // R-safe-14
  test('signing out ends access at once, for copies and what they would renew, and again is no fault', async () => {
    const browser = await enter()
    const stranger = await enter()
    const copy = copyOf(browser)
    const sent = await leave(browser)
    expect(sent.headers['clear-site-data']).toBe('"cache", "storage"')
    expect([browser.cookies.has(access), browser.cookies.has(renewal)]).toEqual([false, false])
    expect(await refused(read(copy))).toEqual([401, noAccess])
    expect(await refused(refresh(copy))).toEqual([401, noRenewal])
    expect(await refused(read(copy))).toEqual([401, noAccess])
    expect((await leave(browser)).status).toBe(200)
    expect(await isIn(stranger)).toBe(true)
  })

  test('refresh and sign-out at once end signed out', async () => {
    for (let round = 0; round < 10; round++) {
      const browser = await enter()
      const tab = copyOf(browser)
      await Promise.all([leave(browser), refresh(tab)])
      expect(await isIn(tab)).toBe(false)
      expect((await refresh(tab)).status).toBe(401)
    }
  })

  test('signing in ends the session that the browser came with', async () => {
    const browser = await enter()
    const old = copyOf(browser)
    expect((await browser.again()).status).toBe(200)
    expect(await isIn(browser)).toBe(true)
    expect(await isIn(old)).toBe(false)
  })

  // R-safe-16
  test('a refresh without a token, or with nonsense, is refused by its own code and clears the cookies', async () => {
    const browser = house.browser()
    expect(await refused(refresh(browser))).toEqual([401, noRenewal])
    browser.cookies.set(renewal, 'x'.repeat(43))
    expect(await refused(refresh(browser))).toEqual([401, noRenewal])
    expect(browser.cookies.has(renewal)).toBe(false)
  })
})

/** A browser that holds the same cookies: a second tab before it heard of new ones, or a thief. */
function copyOf({ cookies }: Browser): Browser {
  const browser = house.browser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}
