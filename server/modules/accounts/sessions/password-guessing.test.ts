import { adminLogin, changePassword, login } from '@keyturn/contract/accounts/endpoints.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { beforeEach, expect, test } from 'vitest'
import type { SentRequest } from '../../../../tests/support/browser.ts'
import {
  collectStatuses,
  confirmedPassword,
  newAddressHeaders,
} from '../../../../tests/support/http/visitors.ts'
import { aNewcomer, type TestPerson } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

// Guesses are slowed down, but never lock the owner out.

const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const { username, password: adminPassword } = server.deps.config.admin ?? { username: '', password: '' }
const wrong = 'not the password'

beforeEach(async () => {
  await server.moveClock('0')
  await server.query('delete from throttles')
})

type Network = ReturnType<typeof newAddressHeaders>
type Told = { status: number; wait: number }
const told = async (sent: Promise<{ status: number; headers: SentRequest<Endpoint>['headers'] }>) => {
  const { status, headers } = await sent
  return { status, wait: Number(headers['retry-after'] ?? 0) }
}
const tryAt = (email: string, password: string, network: Network, browser = server.browser()) =>
  told(browser.send(login, { body: { email, password } }, network))
const tryAsAdministrator = (password: string, network: Network, browser = server.browser()) =>
  told(browser.send(adminLogin, { body: { username, password } }, network))

const aPerson = async (home = newAddressHeaders()): Promise<TestPerson & { home: Network }> => ({
  ...(await aNewcomer(server, 'SELLER', {}, home)),
  home,
})

/** Guesses `count` wrong passwords as fast as allowed. Returns the last wait in seconds. */
async function guess(count: number, go: () => Promise<Told>): Promise<number> {
  let clock = 0
  let longest = 0
  for (let wrongOnes = 0; wrongOnes < count; ) {
    const { status, wait } = await go()
    if (status === 401) wrongOnes++
    else {
      expect(status).toBe(429)
      longest = Math.max(longest, wait)
      if (wait > 60) return longest
      clock += wait + 1
      await server.moveClock(`${clock} seconds`)
    }
  }
  const { wait } = await go()
  return Math.max(longest, wait)
}

// R-accounts-27
test('delays the owner’s new browser by at most a minute after a stranger’s ten wrong passwords', async () => {
  const { email, password } = await aPerson()
  const attacker = newAddressHeaders()
  await guess(10, () => tryAt(email, wrong, attacker))
  const elsewhere = newAddressHeaders()
  const first = await tryAt(email, password, elsewhere)
  if (first.status !== 200) expect([first.status, first.wait <= 60]).toEqual([429, true])
  await server.moveClock('14 minutes')
  expect((await tryAt(email, password, elsewhere)).status).toBe(200)
})

test('slows an account down by at most a minute when many networks guess its password', async () => {
  const { email, password } = await aPerson()
  const longest = await guess(14, () => tryAt(email, wrong, newAddressHeaders()))
  expect(longest).toBeGreaterThan(30)
  expect(longest).toBeLessThanOrEqual(60)
  expect((await tryAt(email, password, newAddressHeaders())).wait).toBeLessThanOrEqual(60)
})

test('blocks the guessing network for a quarter of an hour, and only from that account', async () => {
  const [one, two] = [await aPerson(), await aPerson()]
  const attacker = newAddressHeaders()
  expect(await guess(10, () => tryAt(one.email, wrong, attacker))).toBeGreaterThan(60)
  expect((await tryAt(one.email, one.password, attacker)).status).toBe(429)
  expect((await tryAt(two.email, two.password, attacker)).status).toBe(200)
  await server.moveClock('40 minutes')
  expect((await tryAt(one.email, one.password, attacker)).status).toBe(200)
})

test('does not slow a known network down because of strangers’ guesses, for the administrator as well', async () => {
  const person = await aPerson()
  await guess(14, () => tryAt(person.email, wrong, newAddressHeaders()))
  expect((await tryAt(person.email, person.password, newAddressHeaders())).status).toBe(429)
  expect((await tryAt(person.email, person.password, person.home)).status).toBe(200)
  const home = newAddressHeaders()
  await tryAsAdministrator(adminPassword, home)
  await guess(14, () => tryAsAdministrator(wrong, newAddressHeaders()))
  expect((await tryAsAdministrator(adminPassword, newAddressHeaders())).status).toBe(429)
  expect((await tryAsAdministrator(adminPassword, home)).status).toBe(200)
})

test('delays a known network by at most a minute, even after many wrong passwords', async () => {
  const person = await aPerson()
  expect(await guess(14, () => tryAt(person.email, wrong, person.home))).toBeLessThanOrEqual(60)
  await collectStatuses(60, (i) => tryAt(`nobody-${i}@example.com`, wrong, person.home))
  expect((await tryAt('nobody-x@example.com', wrong, person.home)).wait).toBeGreaterThan(60)
  await server.moveClock('12 minutes')
  expect((await tryAt(person.email, person.password, person.home)).status).toBe(200)
})

const networksOf = (owner: string) =>
  server.query<{ network: Buffer }>('select network from known_networks where owner = $1', [owner])

test('stores networks as hashes, at most twenty per person, for ninety days, and deletes them with the account', async () => {
  const person = await aPerson()
  const statuses = await collectStatuses(25, () => tryAt(person.email, person.password, newAddressHeaders()))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const kept = await networksOf(person.id)
  expect(kept).toHaveLength(20)
  for (const { network } of kept) expect(network).toHaveLength(32)
  expect((await tryAt(person.email, person.password, person.home)).status).toBe(200)
  await server.query(
    `update known_networks set last_used_at = keyturn_now() - interval '91 days' where owner = $1`,
    [person.id],
  )
  await guess(14, () => tryAt(person.email, wrong, newAddressHeaders()))
  expect((await tryAt(person.email, person.password, person.home)).status).toBe(429)
  await person.ask(deleteUser, { params: { userType: 'SELLER', id: person.id } })
  expect(await networksOf(person.id)).toEqual([])
})

test('counts the limit of known networks per person', async () => {
  const person = await aPerson()
  await server.query(
    `insert into known_networks (owner, network) select 'another', int4send(n) from generate_series(1, 25) n`,
  )
  await tryAt(person.email, person.password, newAddressHeaders())
  expect(await networksOf(person.id)).toHaveLength(2)
})

test('keeps only the current network known after a password change', async () => {
  const person = await aPerson()
  await tryAt(person.email, person.password, newAddressHeaders())
  expect(await networksOf(person.id)).toHaveLength(2)
  const better = 'green bottles on a wall'
  await person.ask(
    changePassword,
    { body: { ...confirmedPassword(better), changePasswordId: person.id } },
    person.home,
  )
  expect(await networksOf(person.id)).toHaveLength(1)
  await guess(14, () => tryAt(person.email, wrong, newAddressHeaders()))
  expect((await tryAt(person.email, better, person.home)).status).toBe(200)
})

test('slows attempts on unknown accounts in the same way', async () => {
  const person = await aPerson()
  // The clock is stopped, so that no pause ends because the machine is slow.
  await server.stopClock('2030-01-01 12:00:00Z')
  const lookOf = async (email: string) => {
    const attacker = newAddressHeaders()
    const look = []
    for (let i = 0; i < 7; i++) {
      const body = { email, password: wrong }
      const sent = await server.browser().send(login, { body }, i < 5 ? attacker : newAddressHeaders())
      look.push([sent.status, sent.headers['retry-after'], sent.error])
    }
    return look
  }
  expect(await lookOf(`x${person.email.slice(1)}`)).toEqual(await lookOf(person.email))
})
