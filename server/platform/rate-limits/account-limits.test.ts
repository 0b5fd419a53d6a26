// @module-tag full

import { finishEnrollment } from '@keyturn/contract/accounts/administrators.ts'
import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { signInWithPasskey, startPasskeySignIn } from '@keyturn/contract/accounts/passkeys.ts'
import { exportData } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { lookUpVin } from '@keyturn/contract/cars/endpoints.ts'
import { deleteUser, getBuyer, getSeller, startProgress } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import type { Browser, SentRequest } from '../../../tests/support/browser.ts'
import { createAuthenticator } from '../../../tests/support/http/authenticator.ts'
import { aRegistration, confirmedPassword, newAddressHeaders } from '../../../tests/support/http/visitors.ts'
import { aNamedAdministrator, aNewcomer, aSeller } from '../../../tests/support/people.ts'
import { aSaleAt, aVin } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { type RateLimit, resetLimit, throttleLimits } from './throttles.ts'

const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })

let count = 0
const anEmail = () => `limit-${++count}@example.com`
const aToken = () => `${++count}`.padStart(43, 'x')
const nobody = 'f'.repeat(24)
const wrong = 'not the password'
const newPassword = confirmedPassword('green bottles on a wall')
const { username, password } = server.deps.config.admin ?? {}
const asAdministrator = { body: { username, password } }
const asNoAdministrator = { body: { username, password: wrong } }
const aPerson = (from = newAddressHeaders()) => aNewcomer(server, 'SELLER', {}, from)
const aVerifiedPerson = () => aSeller(server, {}, newAddressHeaders())

type Try = () => Promise<SentRequest<never>>
const inTheDark =
  'what is over the limit is answered like the others: see "the fourth mail within an hour" and "one mail an hour"'

/** Returns a call to repeat, given an email address that is not in use. */
type Way = (email: string) => Try | Promise<Try>

/** Every way to exhaust each limit; a missing limit is a type error. */
const uses: Record<keyof typeof throttleLimits, Way | Way[] | typeof inTheDark> = {
  registerFromIp: () => fromOne((headers) => registerAs(anEmail(), headers)),
  tryAddressFromIp: () => {
    let sent = 0
    let person = aVerifiedPerson()
    return fromOne(async (headers) => {
      // Each person may edit twenty times an hour.
      if (++sent % 15 === 0) person = aVerifiedPerson()
      return (await person).send(calls.editUser, { body: { email: anEmail() } }, headers)
    })
  },
  registerAddress: [
    (email) => () => registerAs(email, newAddressHeaders()),
    (email) => async () => (await aPerson()).send(calls.editUser, { body: { email } }, newAddressHeaders()),
  ],
  signInFromIp: () => fromOne((headers) => signInAs(server.browser(), anEmail(), headers)),
  signInFromNetwork: (email) => fromOne((headers) => signInAs(server.browser(), email, headers)),
  signInFromKnown: async () => {
    const home = newAddressHeaders()
    const { email } = await aPerson(home)
    return () => signInAs(server.browser(), email, home)
  },
  loginLinkMail: inTheDark,
  loginLinkFromIp: () =>
    fromOne((headers) => server.browser().send(calls.loginByLink, { body: { code: aToken() } }, headers)),
  signInToAddress: (email) => () => signInAs(server.browser(), email, newAddressHeaders()),
  signInFromDevice: async () => {
    const person = await aPerson()
    return () => signInAs(person, person.email, newAddressHeaders())
  },
  passkeyStartFromIp: () => fromOne((headers) => server.browser().send(startPasskeySignIn, {}, headers)),
  passkeyFromIp: () =>
    fromOne((headers) => {
      const body = { credential: createAuthenticator().forgedSignIn() }
      return server.browser().send(signInWithPasskey, { body }, headers)
    }),
  adminFromIp: () => fromOne((headers) => signInAsAdministrator(`name-${++count}`, headers)),
  adminToName: () => () => signInAsAdministrator('root', newAddressHeaders()),
  adminFromKnown: async () => {
    const home = newAddressHeaders()
    await server.browser().send(calls.adminLogin, asAdministrator, home)
    return () => server.browser().send(calls.adminLogin, asNoAdministrator, home)
  },
  adminFromDevice: async () => {
    const browser = server.browser()
    await browser.send(calls.adminLogin, asAdministrator, newAddressHeaders())
    return () => browser.send(calls.adminLogin, asNoAdministrator, newAddressHeaders())
  },
  adminCode: async () => {
    const administrator = await aNamedAdministrator(server, 'SUPPORT')
    return () => administrator.send(finishEnrollment, { body: { code: '000000' } }, newAddressHeaders())
  },
  refreshSession: () => by(aPerson, (person) => person.send(calls.refresh, {}, newAddressHeaders())),
  refreshFromIp: () => fromOne((headers) => withCookie('rt').send(calls.refresh, {}, headers)),
  adminRefresh: () => fromOne((headers) => withCookie('art').send(calls.adminRefresh, {}, headers)),
  unknownLogout: [
    () => fromOne((headers) => withCookie('at').send(calls.logout, {}, headers)),
    () => fromOne((headers) => withCookie('aat').send(calls.adminLogout, {}, headers)),
  ],
  verifyMail: inTheDark,
  resetMail: inTheDark,
  verifyMailFromIp: () => fromOne((headers) => mailTo(calls.sendVerification, headers)),
  resetMailFromIp: () => fromOne((headers) => mailTo(calls.forgotPassword, headers)),
  verifyFromIp: () =>
    fromOne((headers) => server.browser().send(calls.verifyEmail, { params: { code: aToken() } }, headers)),
  resetFromIp: () =>
    fromOne((headers) => {
      const body = { ...newPassword, verificationCode: aToken() }
      return server.browser().send(calls.resetPassword, { body }, headers)
    }),
  currentPassword: async () => {
    const person = await aVerifiedPerson()
    const body = { ...newPassword, changePasswordId: person.id, currentPassword: wrong }
    return () => person.send(calls.changePassword, { body }, newAddressHeaders())
  },
  editUser: () =>
    by(aPerson, (person) =>
      person.send(calls.editUser, { body: { lastName: 'Ashdown' } }, newAddressHeaders()),
    ),
  changeUnverifiedAddress: () =>
    by(aPerson, (person) => person.send(calls.editUser, { body: { email: anEmail() } }, newAddressHeaders())),
  deleteUser: async () => {
    const { buyer } = await aSaleAt(server, 'confirmed')
    return () => buyer.send(deleteUser, { params: { userType: 'BUYER', id: buyer.id } }, newAddressHeaders())
  },
  exportData: () =>
    by(aPerson, (person) => person.send(exportData, { body: { format: 'json' } }, newAddressHeaders())),
  // An unknown manufacturer, which the decoder rejects quickly even on a busy machine.
  lookUpVin: () =>
    by(aVerifiedPerson, (person) => {
      const vin = `ZZZ111111111${String(++count).padStart(5, '0')}`
      return person.send(lookUpVin, { params: { vin } }, newAddressHeaders())
    }),
  enterVinHourly: () =>
    by(aVerifiedPerson, (person) =>
      person.send(startProgress, { body: { vin: aVin() } }, newAddressHeaders()),
    ),
  enterVinDaily: async () => {
    const person = await aVerifiedPerson()
    return async () => {
      // Simulates that an hour has passed.
      await resetLimit(server.deps, throttleLimits.enterVinHourly, person.id)
      return person.send(startProgress, { body: { vin: aVin() } }, newAddressHeaders())
    }
  },
  readPerson: [() => readingBy(getBuyer), () => readingBy(getSeller)],
  readUser: () => by(aPerson, (person) => person.send(calls.getUser, {}, newAddressHeaders())),
}

const rows = Object.entries(uses).flatMap(([name, ways]) =>
  ways === inTheDark
    ? []
    : [ways]
        .flat()
        .map((way, index) => ({ name: name as keyof typeof throttleLimits, way, index: index + 1 })),
)

test.each(rows)(
  '$name, way $index: allows the maximum, and rejects the next request with a retry time',
  async ({ name, way }) => {
    const rule: RateLimit = throttleLimits[name]
    const goodOnes = rule.slowFrom ?? rule.max
    const go = await way(anEmail())
    // Sends two at a time, because some endpoints allow no more concurrent requests.
    for (let left = goodOnes; left > 0; left -= 2)
      for (const { status } of await Promise.all(Array.from({ length: Math.min(left, 2) }, go)))
        expect([429, 503]).not.toContain(status)
    const { status, headers, error } = await go()
    expect([status, error.errorCode]).toEqual([429, 'TooManyRequests'])
    expect(error.message).toMatch(/^Too many tries\. Please try again in \d+ (second|minute|hour)s?\.$/)
    const seconds = Number(headers['retry-after'])
    expect(seconds).toBeLessThanOrEqual(rule.withinMs / 1000)
    expect(seconds).toBeGreaterThan(rule.slowFrom ? 0 : rule.withinMs / 2000)
  },
)

async function by(who: () => Promise<Browser>, send: (person: Browser) => ReturnType<Try>): Promise<Try> {
  const person = await who()
  return () => send(person)
}

function fromOne(go: (headers: Record<string, string>) => ReturnType<Try>): Try {
  const headers = newAddressHeaders()
  return () => go(headers)
}

const readingBy = (call: typeof getBuyer | typeof getSeller) =>
  by(aVerifiedPerson, (person) => person.send(call, { params: { id: nobody } }, newAddressHeaders()))

function withCookie(name: string): Browser {
  const browser = server.browser()
  browser.cookies.set(name, aToken())
  return browser
}

const mailTo = (
  call: typeof calls.sendVerification | typeof calls.forgotPassword,
  headers: Record<string, string>,
) => server.browser().send(call, { body: { email: anEmail() } }, headers)

const signInAs = (browser: Browser, email: string, headers: Record<string, string>) =>
  browser.send(calls.login, { body: { email, password: wrong } }, headers)

const signInAsAdministrator = (username: string, headers: Record<string, string>) =>
  server.browser().send(calls.adminLogin, { body: { username, password: wrong } }, headers)

const registerAs = (email: string, headers: Record<string, string>) =>
  server.browser().send(calls.register, { body: aRegistration({ email }) }, headers)
