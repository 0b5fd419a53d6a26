import { randomBytes } from 'node:crypto'
import type { AdminRole } from '@keyturn/contract/accounts/admin-acts.ts'
import { acceptInvitation, inviteAdministrator } from '@keyturn/contract/accounts/administrators.ts'
import { adminLogin, approveWholesaler, register, verifyEmail } from '@keyturn/contract/accounts/endpoints.ts'
import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import type { Browser } from './browser.ts'
import { recordSecret } from './secrets.ts'
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
type PersonOptions = Partial<
  Pick<TestPerson, 'email' | 'password' | 'firstName' | 'lastName' | 'phoneNumber'>
>

/** Request headers, such as the client address. */
type RequestHeaders = Record<string, string>

export const aSeller = (server: TestServerLike, options?: PersonOptions, headers?: RequestHeaders) =>
  aVerifiedPerson(server, 'SELLER', options, headers)
export const aBuyer = (server: TestServerLike, options?: PersonOptions) =>
  aVerifiedPerson(server, 'BUYER', options)

export async function aWholesaler(server: TestServer, options?: PersonOptions): Promise<TestPerson> {
  const wholesaler = await anUnapprovedWholesaler(server, options)
  const administrator = await anAdministrator(server)
  await administrator.ask(approveWholesaler, { params: { userId: wholesaler.id } })
  return wholesaler
}

export const anUnapprovedWholesaler = (server: TestServerLike, options?: PersonOptions) =>
  aVerifiedPerson(server, 'WHOLESALER', options)

export async function anAdministrator(server: TestServer): Promise<Browser> {
  const browser = server.browser()
  const { admin } = server.deps.config
  await browser.ask(adminLogin, { body: { username: admin?.username, password: admin?.password } })
  return browser
}

/** An administrator with a name of their own, invited with the settings' password and signed in. */
export async function aNamedAdministrator(
  server: TestServer,
  role: AdminRole,
): Promise<Browser & { id: string; username: string; password: string }> {
  const username = `admin-${randomBytes(5).toString('hex')}`
  const password = `quiet harbour ${username}`
  recordSecret(password)
  const { administrator, invitation } = await (await anAdministrator(server)).ask(inviteAdministrator, {
    body: { name: 'Morgan Vale', username, role },
  })
  const code = new URLSearchParams(new URL(invitation ?? '').hash.slice(1)).get('code') ?? ''
  recordSecret(code)
  const browser = server.browser()
  await browser.ask(acceptInvitation, { body: { code, password, confirmPassword: password } })
  return { ...browser, id: administrator._id, username, password }
}

export async function aNewcomer(
  server: TestServerLike,
  userType: UserType,
  options: PersonOptions = {},
  headers: RequestHeaders = {},
): Promise<TestPerson> {
  const form = aForm(options)
  const browser = server.browser()
  const body = { ...form, userType, confirmPassword: form.password }
  const user = await browser.ask(register, { body }, headers)
  return { ...form, ...browser, id: user._id }
}

async function aVerifiedPerson(
  server: TestServerLike,
  userType: UserType,
  options?: PersonOptions,
  headers?: RequestHeaders,
): Promise<TestPerson> {
  const person = await aNewcomer(server, userType, options, headers)
  await person.ask(verifyEmail, { params: { code: await readEmailedCode(server, person.email) } }, headers)
  return person
}

export function aForm(options: PersonOptions = {}) {
  const number = randomBytes(5).toString('hex')
  recordSecret(`quiet harbour ${number}`)
  return {
    email: `person-${number}@example.com`,
    password: `quiet harbour ${number}`,
    firstName: 'Robin',
    lastName: 'Ashdown',
    phoneNumber: '202-555-0142',
    ...options,
  }
}

export const readEmailsTo = (server: TestServerLike, email: string) =>
  server.query<{ subject: string; text: string; html: string }>(
    'select subject, text, html from mails where recipient = $1 order by created_at desc, id desc',
    [email],
  )

export async function readEmailedLink(server: TestServerLike, email: string, page: string): Promise<URL> {
  for (const { text } of await readEmailsTo(server, email)) {
    const link = /https?:\/\/\S+/.exec(text)?.[0]
    if (link && new URL(link).pathname === page) return new URL(link)
  }
  throw new Error(`no mail to ${email} leads to ${page}`)
}

export async function readEmailedCode(
  server: TestServerLike,
  email: string,
  page = '/email/verify',
): Promise<string> {
  const { search, hash } = await readEmailedLink(server, email, page)
  const code = new URLSearchParams(search || hash.slice(1)).get('code') ?? ''
  recordSecret(code)
  return code
}
