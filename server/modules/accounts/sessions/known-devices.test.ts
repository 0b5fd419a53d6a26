import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import {
  collectStatuses,
  confirmedPassword,
  copyBrowser,
  newAddressHeaders,
} from '../../../../tests/support/http/visitors.ts'
import { aSeller, readEmailedCode } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const { username, password } = server.deps.config.admin ?? { username: '', password: '' }
const wrong = 'not the password'
const better = 'green bottles on a wall'

const asAdministrator = (browser: Browser, guess: string, headers = newAddressHeaders()) =>
  browser.send(calls.adminLogin, { body: { username, password: guess } }, headers)
const signIn = (browser: Browser, email: string, guess: string, headers = newAddressHeaders()) =>
  browser.send(calls.login, { body: { email, password: guess } }, headers)

const aPerson = () => aSeller(server, {}, newAddressHeaders())

/** A browser with only the cookie that makes it a known one. */
const sameDevice = (browser: Browser) => copyBrowser(server, browser, ['kd'])
const guessTooOften = (email: string) => collectStatuses(6, () => signIn(server.browser(), email, wrong))

test('does not lock out the administrator’s known browser when strangers guess the password', async () => {
  // The clock is stopped, so that no pause ends because the machine is slow.
  await server.stopClock('2030-01-01 12:00:00Z')
  const known = server.browser()
  expect((await asAdministrator(known, password)).status).toBe(200)
  await collectStatuses(8, () => asAdministrator(server.browser(), wrong))
  expect((await asAdministrator(server.browser(), password)).status).toBe(429)
  expect((await asAdministrator(known, password)).status).toBe(200)
  expect((await known.send(calls.listEmails)).status).toBe(200)
  // A known browser has its own limit; an invented cookie has none.
  const guessed = await collectStatuses(6, () => asAdministrator(known, wrong))
  expect(guessed).toEqual([401, 401, 401, 401, 401, 429])
  const forged = server.browser()
  forged.cookies.set('akd', `${known.cookies.get('akd')?.split('.')[0]}.${'A'.repeat(43)}`)
  expect((await asAdministrator(forged, password)).status).toBe(429)
  await server.moveClock('0')
  await server.query('delete from throttles')
})

test('lets a new browser sign in during an attack after a pause', async () => {
  await server.stopClock('2030-01-01 12:00:00Z')
  const attacker = newAddressHeaders()
  const attack = () => collectStatuses(40, () => asAdministrator(server.browser(), wrong, attacker))
  await attack()
  const shutOut = await asAdministrator(server.browser(), password)
  expect(shutOut.status).toBe(429)
  expect(Number(shutOut.headers['retry-after'])).toBeLessThanOrEqual(60)
  await server.stopClock('2030-01-01 12:01:01Z')
  // The attacker has used up its own limit, so the next attempt is left to other visitors.
  await attack()
  expect((await asAdministrator(server.browser(), password)).status).toBe(200)
  await server.moveClock('0')
  await server.query('delete from throttles')
})

test('forgets all known browsers on a password change, except the one that made it', async () => {
  const person = await aPerson()
  const other = server.browser()
  await signIn(other, person.email, person.password)
  await person.ask(
    calls.changePassword,
    { body: { ...confirmedPassword(better), changePasswordId: person.id } },
    newAddressHeaders(),
  )
  await guessTooOften(person.email)
  expect((await signIn(sameDevice(other), person.email, better)).status).toBe(429)
  expect((await signIn(sameDevice(person), person.email, better)).status).toBe(200)
})

test('makes browsers unknown after a password reset as well', async () => {
  const person = await aPerson()
  const browser = server.browser()
  await browser.ask(calls.forgotPassword, { body: { email: person.email } }, newAddressHeaders())
  const verificationCode = await readEmailedCode(server, person.email, '/password/reset')
  await browser.ask(
    calls.resetPassword,
    { body: { ...confirmedPassword(better), verificationCode } },
    newAddressHeaders(),
  )
  await guessTooOften(person.email)
  expect((await signIn(sameDevice(person), person.email, better)).status).toBe(429)
  expect((await signIn(sameDevice(browser), person.email, better)).status).toBe(200)
})

test('keeps browsers known after an address change', async () => {
  const person = await aPerson()
  const email = `moved-${person.email}`
  await person.ask(calls.editUser, { body: { email } }, newAddressHeaders())
  await person.ask(
    calls.verifyEmail,
    { params: { code: await readEmailedCode(server, email) } },
    newAddressHeaders(),
  )
  await guessTooOften(email)
  expect((await signIn(sameDevice(person), email, person.password)).status).toBe(200)
})

test('does not slow a known browser down because of others in its network', async () => {
  const person = await aPerson()
  const home = newAddressHeaders()
  await collectStatuses(50, (i) => signIn(server.browser(), `guess-${i}@example.com`, wrong, home))
  expect((await signIn(server.browser(), person.email, person.password, home)).status).toBe(429)
  expect((await signIn(sameDevice(person), person.email, person.password, home)).status).toBe(200)
})
