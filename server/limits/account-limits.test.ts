// @module-tag full

import * as calls from '@keyturn/contract/accounts/calls.ts'
import { lookUpVin } from '@keyturn/contract/cars/calls.ts'
import { deleteUser, getBuyer, getSeller, startProgress } from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import type { Browser, Sent } from '../test/browser.ts'
import { aSaleAt, aVin } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aForm, mailedCode, type TestPerson } from '../test/people.ts'
import { forgetTurns, type Limit, limits } from './throttles.ts'

const house = await openHouse({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })

let count = 0
const from = (ip = `198.51.100.${++count}`) => ({ 'x-forwarded-for': ip })
const anEmail = () => `limit-${++count}@example.com`
const aToken = () => `${++count}`.padStart(43, 'x')
const nobody = 'f'.repeat(24)
const wrong = 'not the password'

type Try = () => Promise<Sent<never>>
const inTheDark =
  'what is over the limit is answered like the others: see "the fourth mail within an hour" and "one mail an hour"'

/** How each limit is used up, in every way there is; a limit without a line here does not compile. */
const uses: Record<keyof typeof limits, (() => Try | Promise<Try>)[] | typeof inTheDark> = {
  registerFromIp: [
    () => fromOne((headers) => registerAs(anEmail(), headers)),
    async () => {
      const person = await aVerifiedPerson()
      return fromOne((headers) => person.send(calls.editUser, { body: { email: anEmail() } }, headers))
    },
  ],
  registerAddress: [
    () => {
      const email = anEmail()
      return () => registerAs(email, from())
    },
    () => {
      const email = anEmail()
      return async () => {
        const person = await aPerson()
        return person.send(calls.editUser, { body: { email } }, from())
      }
    },
  ],
  signInFromIp: [() => fromOne((headers) => signInAs(house.browser(), anEmail(), headers))],
  signInFromNetwork: [
    () => {
      const email = anEmail()
      return fromOne((headers) => signInAs(house.browser(), email, headers))
    },
  ],
  signInFromKnown: [
    async () => {
      const home = from()
      const { email } = await aPerson(home)
      return () => signInAs(house.browser(), email, home)
    },
  ],
  loginLinkMail: inTheDark,
  loginLinkFromIp: [
    () =>
      fromOne((headers) => house.browser().send(calls.loginByLink, { body: { code: aToken() } }, headers)),
  ],
  signInToAddress: [
    () => {
      const email = anEmail()
      return () => signInAs(house.browser(), email, from())
    },
  ],
  signInFromDevice: [
    async () => {
      const person = await aPerson()
      return () => signInAs(person, person.email, from())
    },
  ],
  adminFromIp: [() => fromOne((headers) => signInAsAdministrator(`name-${++count}`, headers))],
  adminToName: [() => () => signInAsAdministrator('root', from())],
  adminFromKnown: [
    async () => {
      const { username, password } = house.deps.config.admin ?? {}
      const home = from()
      await house.browser().send(calls.adminLogin, { body: { username, password } }, home)
      return () => house.browser().send(calls.adminLogin, { body: { username, password: wrong } }, home)
    },
  ],
  adminFromDevice: [
    async () => {
      const { username, password } = house.deps.config.admin ?? {}
      const browser = house.browser()
      await browser.send(calls.adminLogin, { body: { username, password } }, from())
      return () => browser.send(calls.adminLogin, { body: { username, password: wrong } }, from())
    },
  ],
  refreshSession: [
    async () => {
      const person = await aPerson()
      return () => person.send(calls.refresh, {}, from())
    },
  ],
  refreshFromIp: [() => fromOne((headers) => withCookie('rt').send(calls.refresh, {}, headers))],
  adminRefresh: [() => fromOne((headers) => withCookie('art').send(calls.adminRefresh, {}, headers))],
  strangeLogout: [
    () => fromOne((headers) => withCookie('at').send(calls.logout, {}, headers)),
    () => fromOne((headers) => withCookie('aat').send(calls.adminLogout, {}, headers)),
  ],
  verifyMail: inTheDark,
  resetMail: inTheDark,
  verifyMailFromIp: [() => fromOne((headers) => mailTo(calls.sendVerification, headers))],
  resetMailFromIp: [() => fromOne((headers) => mailTo(calls.forgotPassword, headers))],
  verifyFromIp: [
    () =>
      fromOne((headers) => house.browser().send(calls.verifyEmail, { params: { code: aToken() } }, headers)),
  ],
  resetFromIp: [
    () =>
      fromOne((headers) => {
        const body = { ...twice('green bottles on a wall'), verificationCode: aToken() }
        return house.browser().send(calls.resetPassword, { body }, headers)
      }),
  ],
  currentPassword: [
    async () => {
      const person = await aVerifiedPerson()
      const body = {
        ...twice('green bottles on a wall'),
        changePasswordId: person.id,
        currentPassword: wrong,
      }
      return () => person.send(calls.changePassword, { body }, from())
    },
  ],
  editUser: [
    async () => {
      const person = await aPerson()
      return () => person.send(calls.editUser, { body: { lastName: 'Ashdown' } }, from())
    },
  ],
  mendAddress: [
    async () => {
      const person = await aPerson()
      return () => person.send(calls.editUser, { body: { email: anEmail() } }, from())
    },
  ],
  deleteUser: [
    async () => {
      const { buyer } = await aSaleAt(house, 'confirmed')
      return () => buyer.send(deleteUser, { params: { userType: 'BUYER', id: buyer.id } }, from())
    },
  ],
  lookUpVin: [
    async () => {
      const person = await aVerifiedPerson()
      // Of a maker nobody knows: answered before the decoder has computed a minute away on a busy machine.
      const aNumber = () => `ZZZ111111111${String(++count).padStart(5, '0')}`
      return () => person.send(lookUpVin, { params: { vin: aNumber() } }, from())
    },
  ],
  enterVinHourly: [
    async () => {
      const person = await aVerifiedPerson()
      return () => person.send(startProgress, { body: { vin: aVin() } }, from())
    },
  ],
  enterVinDaily: [
    async () => {
      const person = await aVerifiedPerson()
      return async () => {
        // As if an hour had passed since the last one.
        await forgetTurns(house.deps, limits.enterVinHourly, person.id)
        return person.send(startProgress, { body: { vin: aVin() } }, from())
      }
    },
  ],
  readPerson: [() => readingBy(getBuyer), () => readingBy(getSeller)],
  readUser: [
    async () => {
      const person = await aPerson()
      return () => person.send(calls.getUser, {}, from())
    },
  ],
}

const rows = Object.entries(uses).flatMap(([name, ways]) =>
  ways === inTheDark
    ? []
    : ways.map((way, index) => ({ name: name as keyof typeof limits, way, index: index + 1 })),
)

test.each(rows)(
  '$name, way $index: so many are answered, the next one is told how long to wait',
  async ({ name, way }) => {
    const rule: Limit = limits[name]
    const goodOnes = rule.slowFrom ?? rule.most
    const go = await way()
    const statuses: number[] = []
    // Two at once: of some calls nobody has more under way.
    for (let left = goodOnes; left > 0; left -= 2)
      for (const { status } of await Promise.all(Array.from({ length: Math.min(left, 2) }, go)))
        statuses.push(status)
    expect(statuses).not.toContain(429)
    expect(statuses).not.toContain(503)
    const { status, headers, refusal } = await go()
    expect([status, refusal.errorCode]).toEqual([429, 'TooManyRequests'])
    expect(refusal.message).toMatch(/^Too many tries\. Please try again in \d+ (second|minute|hour)s?\.$/)
    const seconds = Number(headers['retry-after'])
    expect(seconds).toBeLessThanOrEqual(rule.withinMs / 1000)
    expect(seconds).toBeGreaterThan(rule.slowFrom ? 0 : rule.withinMs / 2000)
  },
)

test('each person is counted alone', async () => {
  const [one, two] = [await aPerson(), await aPerson()]
  for (let i = 0; i <= limits.editUser.most; i++) await one.send(calls.editUser, { body: {} }, from())
  expect((await one.send(calls.editUser, { body: {} }, from())).status).toBe(429)
  expect((await two.send(calls.editUser, { body: {} }, from())).status).toBe(200)
})

function fromOne(go: (headers: Record<string, string>) => ReturnType<Try>): Try {
  const headers = from()
  return () => go(headers)
}

async function readingBy(call: typeof getBuyer | typeof getSeller): Promise<Try> {
  const person = await aVerifiedPerson()
  return () => person.send(call, { params: { id: nobody } }, from())
}

function withCookie(name: string): Browser {
  const browser = house.browser()
  browser.cookies.set(name, aToken())
  return browser
}

const twice = (password: string) => ({ password, confirmPassword: password })

const mailTo = (
  call: typeof calls.sendVerification | typeof calls.forgotPassword,
  headers: Record<string, string>,
) => house.browser().send(call, { body: { email: anEmail() } }, headers)

const signInAs = (browser: Browser, email: string, headers: Record<string, string>) =>
  browser.send(calls.login, { body: { email, password: wrong } }, headers)

const signInAsAdministrator = (username: string, headers: Record<string, string>) =>
  house.browser().send(calls.adminLogin, { body: { username, password: wrong } }, headers)

function registerAs(email: string, headers: Record<string, string>, browser = house.browser()) {
  const form = aForm({ email })
  const body = { ...form, userType: 'SELLER', confirmPassword: form.password }
  return browser.send(calls.register, { body }, headers)
}

async function aPerson(home = from()): Promise<TestPerson> {
  const form = aForm()
  const browser = house.browser()
  const body = { ...form, userType: 'SELLER', confirmPassword: form.password }
  const sent = await browser.send(calls.register, { body }, home)
  return { ...form, ...browser, id: sent.answer._id }
}

async function aVerifiedPerson(): Promise<TestPerson> {
  const person = await aPerson()
  await person.send(calls.verifyEmail, { params: { code: await mailedCode(house, person.email) } }, from())
  return person
}
