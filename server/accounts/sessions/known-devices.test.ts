import {
  adminLogin,
  changePassword,
  editUser,
  forgotPassword,
  listMails,
  login,
  resetPassword,
  verifyEmail,
} from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../test/browser.ts'
import { openHouse } from '../../test/house.ts'
import { aSeller, mailedCode } from '../../test/people.ts'

const house = await openHouse({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const { username, password } = house.deps.config.admin ?? { username: '', password: '' }
const wrong = 'not the password'
const better = 'green bottles on a wall'
let addresses = 0
const from = (ip = `198.51.100.${++addresses}`) => ({ 'x-forwarded-for': ip })

const asAdministrator = (browser: Browser, guess: string, headers = from()) =>
  browser.send(adminLogin, { body: { username, password: guess } }, headers)
const signIn = (browser: Browser, email: string, guess: string, headers = from()) =>
  browser.send(login, { body: { email, password: guess } }, headers)

const aPerson = () => aSeller(house, {}, from())

/** A browser that keeps nothing but what says that it is known. */
function sameDevice({ cookies }: Browser): Browser {
  const browser = house.browser()
  browser.cookies.set('kd', cookies.get('kd') ?? '')
  return browser
}
async function guessTooOften(email: string) {
  for (let i = 0; i < 6; i++) await signIn(house.browser(), email, wrong)
}

test('strangers who guess do not stop the browser that the administrator has used before', async () => {
  const known = house.browser()
  expect((await asAdministrator(known, password)).status).toBe(200)
  for (let i = 0; i < 8; i++) await asAdministrator(house.browser(), wrong)
  expect((await asAdministrator(house.browser(), password)).status).toBe(429)
  expect((await asAdministrator(known, password)).status).toBe(200)
  expect((await known.send(listMails)).status).toBe(200)
  await house.query('delete from throttles')
})

test('that browser has a limit of its own, and no cookie that somebody made up has one', async () => {
  const known = house.browser()
  await asAdministrator(known, password)
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await asAdministrator(known, wrong)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  expect((await asAdministrator(house.browser(), password)).status).toBe(200)
  for (let i = 0; i < 8; i++) await asAdministrator(house.browser(), wrong)
  const forged = house.browser()
  forged.cookies.set('akd', `${known.cookies.get('akd')?.split('.')[0]}.${'A'.repeat(43)}`)
  expect((await asAdministrator(forged, password)).status).toBe(429)
  await house.query('delete from throttles')
})

test('a new browser gets in during an attack, after a pause', async () => {
  // The clock stands still, so no pause ends because the machine is slow.
  await house.stopClock('2030-01-01 12:00:00Z')
  const attacker = from()
  const attack = async () => {
    for (let i = 0; i < 40; i++) await asAdministrator(house.browser(), wrong, attacker)
  }
  await attack()
  const shutOut = await asAdministrator(house.browser(), password)
  expect(shutOut.status).toBe(429)
  expect(Number(shutOut.headers['retry-after'])).toBeLessThanOrEqual(60)
  await house.stopClock('2030-01-01 12:01:01Z')
  // Who asked without end has no turns left, and leaves the next one to others.
  await attack()
  expect((await asAdministrator(house.browser(), password)).status).toBe(200)
  await house.moveClock('0')
  await house.query('delete from throttles')
})

test('another password makes every browser unknown but the one that chose it', async () => {
  const person = await aPerson()
  const other = house.browser()
  await signIn(other, person.email, person.password)
  const change = { password: better, confirmPassword: better, changePasswordId: person.id }
  await person.ask(changePassword, { body: change }, from())
  await guessTooOften(person.email)
  expect((await signIn(sameDevice(other), person.email, better)).status).toBe(429)
  expect((await signIn(sameDevice(person), person.email, better)).status).toBe(200)
})

test('a reset does so, too', async () => {
  const person = await aPerson()
  const browser = house.browser()
  await browser.ask(forgotPassword, { body: { email: person.email } }, from())
  const verificationCode = await mailedCode(house, person.email, '/password/reset')
  const body = { password: better, confirmPassword: better, verificationCode }
  await browser.ask(resetPassword, { body }, from())
  await guessTooOften(person.email)
  expect((await signIn(sameDevice(person), person.email, better)).status).toBe(429)
  expect((await signIn(sameDevice(browser), person.email, better)).status).toBe(200)
})

test('with another address a person’s browsers stay known', async () => {
  const person = await aPerson()
  const email = `moved-${person.email}`
  await person.ask(editUser, { body: { email } }, from())
  await person.ask(verifyEmail, { params: { code: await mailedCode(house, email) } }, from())
  await guessTooOften(email)
  expect((await signIn(sameDevice(person), email, person.password)).status).toBe(200)
})

test('a known browser does not wait for what others in its network did', async () => {
  const person = await aPerson()
  const home = from()
  for (let i = 0; i < 50; i++) await signIn(house.browser(), `guess-${i}@example.com`, wrong, home)
  expect((await signIn(house.browser(), person.email, person.password, home)).status).toBe(429)
  expect((await signIn(sameDevice(person), person.email, person.password, home)).status).toBe(200)
})
