import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../support/test-server.ts'
import { check, type Found, type Heard } from './checker.ts'
import { countUnlikeFirst, openLedger, Refused } from './ledger.ts'
import { openOutside } from './outside.ts'
import { sellCars } from './sales.ts'
import { signUp } from './setup.ts'

// Checks that `npm run faults` detects each single flaw in an otherwise complete sale.

const outside = await openOutside()
afterAll(outside.close)
const house = await startTestServer(outside.settings)
await house.app.listen({ host: '127.0.0.1', port: 0 })
const baseUrl = `http://127.0.0.1:${(house.app.server.address() as AddressInfo).port}`
const ground = { database: house.owner }
const ledger = openLedger()
const wholesaler = await signUp(ground, baseUrl, 'WHOLESALER', 0)
await house.query('update users set approved_at = now() where id = $1', [wholesaler.id])
const couple = {
  seller: await signUp(ground, baseUrl, 'SELLER', 0),
  buyer: await signUp(ground, baseUrl, 'BUYER', 0),
  rival: await signUp(ground, baseUrl, 'BUYER', 1),
  wholesaler,
}
let sold = 0
const sales = await sellCars({ baseUrl }, ledger, couple, () => sold++ > 0)

const none: Found = { lost: 0, halfDone: 0, doubled: 0, outOfOrder: 0, twoWinners: 0, evidence: 0 }

test('reports no fault for a complete sale and its ledger', async () => {
  expect(ledger).toMatchObject({ refused: [], givenUp: [], unanswered: 0, twoWinners: 0 })
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
  ['lost', 'what a wholesaler offered', `delete from trade_events where event = 'offer'`],
  ['lost', 'a delivery', 'delete from deliveries'],
  ['lost', 'what the dealer said', `delete from deal_events where event = 'sellerPaid'`],
  [
    'lost',
    'a mail that nobody got',
    `update mails set sent_at = now(), message_id = '<nobody@got.it>', begun_at = now() where id = (select min(id) from mails)`,
  ],
  [
    'lost',
    'a delivery that the dealer did not get',
    `update deliveries set state = 'DELIVERED', ended_at = now()`,
  ],
  ['halfDone', 'a deal without its package', 'delete from packages'],
  ['halfDone', 'a promise without a signature', `delete from signatures where party = 'SELLER'`],
  ['halfDone', 'a signature without its event', `delete from deal_events where event = 'sellerSigned'`],
  ['halfDone', 'a mail without its job', `delete from jobs where name like 'send-mail%'`],
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
])('%s: %s', async (count, _, change) => {
  expect((await checkAfter(change))[count]).toBeGreaterThan(0)
})

test('counts two emails under one id as doubled, and skips external systems that were not used', async () => {
  const letters = new Map([['<one@mail>', new Set(['this', 'that'])]])
  expect(await checkAfter('', { letters: () => letters, taken: null })).toEqual({ ...none, doubled: 1 })
  const sent = `update deliveries set state = 'DELIVERED', ended_at = now()`
  expect(await checkAfter(sent, { letters: null, taken: null })).toEqual(none)
})

test('records an error, a second winner and a different response to the same key', async () => {
  let asked = 0
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/refused' ? 409 : 200
    response.end(`{"number":${++asked}}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const where = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const to = (path: string) => ({ method: 'POST', path, body: {} })
  const heard = openLedger()
  expect(await heard.contest(where, '', [to('/refused'), to('/won')])).toBe(1)
  expect(heard).toMatchObject({ twoWinners: 0, refused: [] })
  await heard.contest(where, '', [to('/won'), to('/too')])
  await expect(heard.contest(where, '', [to('/refused'), to('/refused')])).rejects.toThrow(Refused)
  await expect(heard.change(where, '', to('/refused'))).rejects.toThrow(Refused)
  expect(heard.twoWinners).toBe(1)
  expect(heard.refused).toHaveLength(2)
  expect(await countUnlikeFirst(where.baseUrl, heard.acknowledged)).toBe(3)
})

/** Checks after this change, made past all constraints and rolled back afterwards. */
async function checkAfter(change = '', heard: Heard = outside): Promise<Found> {
  const client = new pg.Client({ connectionString: house.ownerUrl })
  await client.connect()
  try {
    await client.query(`begin; set local session_replication_role = replica; ${change}`)
    return await check({ db: drizzle(client), pool: client }, sales, heard)
  } finally {
    await client.end()
  }
}
