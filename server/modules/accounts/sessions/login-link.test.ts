import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { beforeEach, expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import {
  collectStatuses,
  confirmedPassword,
  newAddressHeaders,
} from '../../../../tests/support/http/visitors.ts'
import {
  aNewcomer,
  aSeller,
  readEmailedCode,
  readEmailedLink,
  readEmailsTo,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { deleteOldUnknownVins } from '../../cars/repository.ts'
import { accountTasks } from '../tasks.ts'

// "Was this you?": an owner slowed down by strangers' guesses signs in by email.

const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const wrong = 'not the password'
const better = confirmedPassword('green bottles on a wall')
const subject = 'Was this you?'

beforeEach(async () => {
  await server.moveClock('0')
  await server.query('delete from throttles')
})

const aPerson = () => aSeller(server, {}, newAddressHeaders())
const tryAt = (email: string, password = wrong) =>
  server.browser().send(calls.login, { body: { email, password } }, newAddressHeaders())
const doJobs = () => runDueJobs(server.deps, accountTasks(server.deps, { cleanAlso: deleteOldUnknownVins }))

/** Slows the account down by wrong passwords, and runs the queued jobs. */
async function guesses(email: string) {
  await collectStatuses(6, () => tryAt(email))
  await doJobs()
}

const linksTo = async (email: string) =>
  (await readEmailsTo(server, email)).filter((mail) => mail.subject === subject)
async function aLink(person: TestPerson): Promise<string> {
  await server.query('delete from throttles')
  await guesses(person.email)
  return readEmailedCode(server, person.email, '/login/link')
}

const follow = (code: string, browser: Browser = server.browser(), headers = {}) =>
  browser.send(calls.loginByLink, { body: { code } }, { ...newAddressHeaders(), ...headers })
const refused = [400, 'InvalidLoginLink']

test('emails one link an hour to a verified address when strangers’ guesses slow the account down', async () => {
  const [person, unproven] = [await aPerson(), await aNewcomer(server, 'SELLER', {}, newAddressHeaders())]
  await collectStatuses(4, () => tryAt(person.email))
  await doJobs()
  expect(await linksTo(person.email)).toHaveLength(0)
  for (let round = 0; round < 3; round++) {
    await guesses(person.email)
    await server.moveClock(`${round + 1} minutes`)
  }
  await guesses(unproven.email)
  expect(await linksTo(person.email)).toHaveLength(1)
  expect(await linksTo(unproven.email)).toHaveLength(0)
  await server.moveClock('62 minutes')
  await guesses(person.email)
  expect(await linksTo(person.email)).toHaveLength(2)
})

test('queues the same job for an unknown account, but sends no email', async () => {
  const email = 'nobody-at-all@example.com'
  const planned = async () => server.query('select payload from jobs where name = $1', ['mail-login-link'])
  await collectStatuses(5, () => tryAt(email))
  expect(await planned()).toEqual([{ payload: { userId: null } }])
  await doJobs()
  expect([await planned(), await readEmailsTo(server, email)]).toEqual([[], []])
})

test('neither slows the account down nor emails a link after wrong passwords from a known browser', async () => {
  const person = await aPerson()
  const body = { email: person.email, password: wrong }
  await collectStatuses(7, () => person.send(calls.login, { body }, newAddressHeaders()))
  await doJobs()
  expect(await linksTo(person.email)).toHaveLength(0)
})

// R-safe-10
test('signs in only one of twenty who follow a link concurrently', async () => {
  const code = await aLink(await aPerson())
  const sent = await Promise.all(Array.from({ length: 20 }, () => follow(code)))
  expect(sent.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
})

// R-accounts-19, R-accounts-27
test('signs in once with the link while the account is slowed down, and makes the browser a known one', async () => {
  const person = await aPerson()
  // The clock is stopped, so that no pause ends because the machine is slow.
  await server.stopClock('2030-01-01 12:00:00Z')
  const code = await aLink(person)
  // The code is only in the fragment, which no server receives.
  const { search, hash } = await readEmailedLink(server, person.email, '/login/link')
  expect([search, hash]).toEqual(['', `#code=${code}`])
  expect((await tryAt(person.email, person.password)).status).toBe(429)
  const browser = server.browser()
  const network = newAddressHeaders()
  const sent = await follow(code, browser, network)
  expect([sent.status, sent.answer._id]).toEqual([200, person.id])
  expect((await browser.ask(calls.getUser)).email).toBe(person.email)
  expect(await statusAndCode(follow(code))).toEqual(refused)
  await guesses(person.email)
  const again = { body: { email: person.email, password: person.password } }
  expect((await browser.send(calls.login, again, newAddressHeaders())).status).toBe(200)
  expect((await server.browser().send(calls.login, again, network)).status).toBe(200)
})

test('accepts only the newest link, for 15 minutes', async () => {
  const person = await aPerson()
  const first = await aLink(person)
  const second = await aLink(person)
  expect(await statusAndCode(follow(first))).toEqual(refused)
  await server.moveClock('16 minutes')
  expect(await statusAndCode(follow(second))).toEqual(refused)
})

test('voids the link when the password or address changes, or the account is deleted', async () => {
  const [changed, moved, left] = [await aPerson(), await aPerson(), await aPerson()]
  const codes = [await aLink(changed), await aLink(moved), await aLink(left)]
  await changed.ask(
    calls.changePassword,
    { body: { ...better, changePasswordId: changed.id } },
    newAddressHeaders(),
  )
  await server.query('update users set email = $2 where id = $1', [moved.id, `moved-${moved.email}`])
  await left.ask(deleteUser, { params: { userType: 'SELLER', id: left.id } })
  for (const code of codes) expect(await statusAndCode(follow(code))).toEqual(refused)
})

test('requires the password in a session started by a link', async () => {
  const person = await aPerson()
  const browser = server.browser()
  await follow(await aLink(person), browser)
  const change = { ...better, changePasswordId: person.id }
  const sent = browser.send(calls.changePassword, { body: change }, newAddressHeaders())
  expect(await statusAndCode(sent)).toEqual([403, 'ReauthenticationRequired'])
  const gone = await browser.send(deleteUser, { params: { userType: 'SELLER', id: person.id } })
  expect(gone.status).toBe(403)
  const typed = { ...change, currentPassword: person.password }
  expect((await browser.send(calls.changePassword, { body: typed }, newAddressHeaders())).status).toBe(200)
})
