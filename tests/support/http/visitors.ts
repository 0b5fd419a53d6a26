import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import type { Browser } from '../browser.ts'
import { aForm, type TestServerLike } from '../people.ts'

// Client addresses, cookies and registration bodies for tests of accounts and rate limits.

let networks = 0

/** Returns headers with an unused client address, read with TRUST_PROXY_HOPS=1. */
export const newAddressHeaders = () => ({
  'x-forwarded-for': `10.${(++networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`,
})

export function aRegistration(fields: Parameters<typeof aForm>[0] = {}, userType: UserType = 'BUYER') {
  const form = aForm(fields)
  return { ...form, userType, confirmPassword: form.password }
}

/** Returns a password and its confirmation. */
export const confirmedPassword = (password: string) => ({ password, confirmPassword: password })

/**
 * Copies all of a browser's cookies, or only the named ones, to simulate a thief or a tab with
 * stale cookies.
 */
export function copyBrowser(
  server: TestServerLike,
  { cookies }: Browser,
  names = [...cookies.keys()],
): Browser {
  const browser = server.browser()
  for (const name of names) browser.cookies.set(name, cookies.get(name) ?? '')
  return browser
}

export const cookieHeader = (...browsers: Browser[]): string =>
  browsers.flatMap(({ cookies }) => [...cookies].map(([name, value]) => `${name}=${value}`)).join('; ')

/** Sends requests sequentially and returns their statuses. */
export async function collectStatuses(count: number, send: (index: number) => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await send(index)).status)
  return statuses
}
