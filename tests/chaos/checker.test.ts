import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../support/test-server.ts'
import { type Found, findViolations, type Received } from './checker.ts'
import { startExternalSystems } from './external-systems.ts'
import { countChangedResponses, createLedger, RejectedChange } from './ledger.ts'
import { sellCars } from './sales.ts'
import { signUp } from './setup.ts'

// Checks that `npm run faults` detects each flaw in an otherwise complete sale.

const external = await startExternalSystems()
afterAll(external.close)
const server = await startTestServer(external.settings)
await server.app.listen({ host: '127.0.0.1', port: 0 })
const baseUrl = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
const environment = { database: server.owner }
const ledger = createLedger()
const wholesaler = await signUp(environment, baseUrl, 'WHOLESALER', 0)
await server.query('update users set approved_at = now() where id = $1', [wholesaler.id])
const traders = {
  seller: await signUp(environment, baseUrl, 'SELLER', 0),
  buyer: await signUp(environment, baseUrl, 'BUYER', 0),
  rival: await signUp(environment, baseUrl, 'BUYER', 1),
  wholesaler,
}
let sold = 0
const sales = await sellCars({ baseUrl }, ledger, traders, () => sold++ > 0)

const none: Found = { lost: 0, halfDone: 0, doubled: 0, outOfOrder: 0, twoWinners: 0, evidence: 0 }

test('reports no fault for a complete sale and its ledger', async () => {
  expect(ledger).toMatchObject({ rejected: [], abandoned: [], unanswered: 0, twoWinners: 0 })
  expect(sales).toHaveLength(1)
  expect(await checkAfter()).toEqual(none)
})

const copied = (changes: string) =>
  `insert into deal_events overriding system value
   select (jsonb_populate_record(e, jsonb_build_object(${changes}))).* from deal_events e where event = 'passed'`

test.each<[keyof Found, string, string]>([
  ['lost', 'a car', 'delete from cars'],
  ['lost', 'its sale', 'delete from deals where passed_at is not null'],
  ['lost', 'a photo', `update cars set photos = '[]'`],
  ['lost', 'a trade', 'delete from trades'],
  ['lost', 'the offer of a wholesaler', `delete from trade_events where event = 'offer'`],
  ['lost', 'a delivery', 'delete from deliveries'],
  ['lost', 'a step of the dealer', `delete from deal_events where event = 'sellerPaid'`],
  [
    'lost',
    'an email that did not arrive',
    `update mails set sent_at = now(), message_id = '<nobody@got.it>', begun_at = now() where id = (select min(id) from mails)`,
  ],
  ['lost', 'a delivery that did not arrive', `update deliveries set state = 'DELIVERED', ended_at = now()`],
  ['halfDone', 'a deal without its package', 'delete from packages'],
  ['halfDone', 'a hold without a signature', `delete from signatures where party = 'SELLER'`],
  ['halfDone', 'a signature without its event', `delete from deal_events where event = 'sellerSigned'`],
  ['halfDone', 'an email without its job', `delete from jobs where name like 'send-mail%'`],
  ['halfDone', 'a delivery without its job', `delete from jobs where name = 'deliver-deal'`],
  ['doubled', 'an event', copied(`'id', 1000000`)],
  [
    'outOfOrder',
    'two events',
    `${copied(`'id', -1`)}; delete from deal_events where event = 'passed' and id > 0`,
  ],
  ['evidence', 'a changed signature', `update signatures set name = 'Somebody Else' where party = 'SELLER'`],
  [
    'twoWinners',
    'a second buyer',
    `drop index one_accepted_buyer_per_car; update deals set status = 'ACCEPTED' where passed_at is null`,
  ],
])('counts as %s: %s', async (count, _, change) => {
  expect((await checkAfter(change))[count]).toBeGreaterThan(0)
})

test('counts different emails with one Message-ID as doubled, and skips external systems that were not used', async () => {
  const emails = new Map([['<one@mail>', new Set(['this', 'that'])]])
  expect(await checkAfter('', { emails: () => emails, deliveries: null })).toEqual({ ...none, doubled: 1 })
  const sent = `update deliveries set state = 'DELIVERED', ended_at = now()`
  expect(await checkAfter(sent, { emails: null, deliveries: null })).toEqual(none)
})

test('records an error, a second winner, and a different response to the same key', async () => {
  let requests = 0
  const standIn = createServer((request, response) => {
    response.statusCode = request.url === '/rejected' ? 409 : 200
    response.end(`{"number":${++requests}}`)
  }).listen(0, '127.0.0.1')
  await once(standIn, 'listening')
  onTestFinished(() => void standIn.close())
  const target = { baseUrl: `http://127.0.0.1:${(standIn.address() as AddressInfo).port}` }
  const to = (path: string) => ({ method: 'POST', path, body: {} })
  const ledger = createLedger()
  expect(await ledger.race(target, '', [to('/rejected'), to('/won')])).toBe(1)
  expect(ledger).toMatchObject({ twoWinners: 0, rejected: [] })
  await ledger.race(target, '', [to('/won'), to('/too')])
  await expect(ledger.race(target, '', [to('/rejected'), to('/rejected')])).rejects.toThrow(RejectedChange)
  await expect(ledger.change(target, '', to('/rejected'))).rejects.toThrow(RejectedChange)
  expect(ledger.twoWinners).toBe(1)
  expect(ledger.rejected).toHaveLength(2)
  expect(await countChangedResponses(target.baseUrl, ledger.acknowledged)).toBe(3)
})

/** Runs the checks after a change, which bypasses constraints and is rolled back. */
async function checkAfter(change = '', received: Received = external): Promise<Found> {
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    await client.query(`begin; set local session_replication_role = replica; ${change}`)
    return await findViolations({ db: drizzle(client), pool: client }, sales, received)
  } finally {
    await client.end()
  }
}
