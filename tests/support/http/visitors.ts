import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import type { Browser } from '../browser.ts'
import { aForm, type TestServerLike } from '../people.ts'

// Who comes from where, and what they send, in tests of accounts and of rate limits.

let networks = 0

/** Headers of a network that nobody has come from yet, read with TRUST_PROXY_HOPS=1. */
export const aNetwork = () => ({
  'x-forwarded-for': `10.${(++networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`,
})

/** The body of a registration. */
export function aRegistration(wishes: Parameters<typeof aForm>[0] = {}, userType: UserType = 'BUYER') {
  const form = aForm(wishes)
  return { ...form, userType, confirmPassword: form.password }
}

/** A password and its confirmation. */
export const twice = (password: string) => ({ password, confirmPassword: password })

/** A browser with the same cookies: a second tab that has not heard of new ones, or a thief. `names`: only these. */
export function copyOf(house: TestServerLike, { cookies }: Browser, names = [...cookies.keys()]): Browser {
  const browser = house.browser()
  for (const name of names) browser.cookies.set(name, cookies.get(name) ?? '')
  return browser
}

export const cookieHeader = (...browsers: Browser[]): string =>
  browsers.flatMap(({ cookies }) => [...cookies].map(([name, value]) => `${name}=${value}`)).join('; ')

/** Sends so often, one after the other. */
export async function statusesOf(count: number, send: (index: number) => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await send(index)).status)
  return statuses
}
