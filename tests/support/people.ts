import { randomBytes } from 'node:crypto'
import { adminLogin, approveWholesaler, register, verifyEmail } from '@keyturn/contract/accounts/endpoints.ts'
import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import type { Browser } from './browser.ts'
import { keepSecret } from './secrets.ts'
import type { TestServer } from './test-server.ts'

/** The browser and query function of a test server, as people need them. */
export type TestServerLike = Pick<TestServer, 'browser' | 'query'>

/** A person with a browser, registered, verified and signed in through the public endpoints. */
export type TestPerson = Browser & {
  id: string
  email: string
  password: string
  firstName: string
  lastName: string
  phoneNumber: string
}
type Wishes = Partial<Pick<TestPerson, 'email' | 'password' | 'firstName' | 'lastName' | 'phoneNumber'>>

/** Request headers, such as the client address. */
type From = Record<string, string>

export const aSeller = (house: TestServerLike, wishes?: Wishes, from?: From) =>
  aVerifiedPerson(house, 'SELLER', wishes, from)
export const aBuyer = (house: TestServerLike, wishes?: Wishes) => aVerifiedPerson(house, 'BUYER', wishes)

export async function aWholesaler(house: TestServer, wishes?: Wishes): Promise<TestPerson> {
  const wholesaler = await anUnapprovedWholesaler(house, wishes)
  const administrator = await anAdministrator(house)
  await administrator.ask(approveWholesaler, { params: { userId: wholesaler.id } })
  return wholesaler
}

export const anUnapprovedWholesaler = (house: TestServerLike, wishes?: Wishes) =>
  aVerifiedPerson(house, 'WHOLESALER', wishes)

export async function anAdministrator(house: TestServer): Promise<Browser> {
  const browser = house.browser()
  const { admin } = house.deps.config
  await browser.ask(adminLogin, { body: { username: admin?.username, password: admin?.password } })
  return browser
}

export async function aNewcomer(
  house: TestServerLike,
  userType: UserType,
  wishes: Wishes = {},
  from: From = {},
): Promise<TestPerson> {
  const form = aForm(wishes)
  const browser = house.browser()
  const body = { ...form, userType, confirmPassword: form.password }
  const user = await browser.ask(register, { body }, from)
  return { ...form, ...browser, id: user._id }
}

async function aVerifiedPerson(
  house: TestServerLike,
  userType: UserType,
  wishes?: Wishes,
  from?: From,
): Promise<TestPerson> {
  const person = await aNewcomer(house, userType, wishes, from)
  await person.ask(verifyEmail, { params: { code: await mailedCode(house, person.email) } }, from)
  return person
}

export function aForm(wishes: Wishes = {}) {
  const number = randomBytes(5).toString('hex')
  keepSecret(`quiet harbour ${number}`)
  return {
    email: `person-${number}@example.com`,
    password: `quiet harbour ${number}`,
    firstName: 'Robin',
    lastName: 'Ashdown',
    phoneNumber: '202-555-0142',
    ...wishes,
  }
}

export const mailsTo = (house: TestServerLike, email: string) =>
  house.query<{ subject: string; text: string; html: string }>(
    'select subject, text, html from mails where recipient = $1 order by created_at desc, id desc',
    [email],
  )

export async function mailedLink(house: TestServerLike, email: string, page: string): Promise<URL> {
  for (const { text } of await mailsTo(house, email)) {
    const link = /https?:\/\/\S+/.exec(text)?.[0]
    if (link && new URL(link).pathname === page) return new URL(link)
  }
  throw new Error(`no mail to ${email} leads to ${page}`)
}

export async function mailedCode(
  house: TestServerLike,
  email: string,
  page = '/email/verify',
): Promise<string> {
  const { search, hash } = await mailedLink(house, email, page)
  const code = new URLSearchParams(search || hash.slice(1)).get('code') ?? ''
  keepSecret(code)
  return code
}
