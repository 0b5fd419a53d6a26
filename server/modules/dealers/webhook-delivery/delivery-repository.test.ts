import { listDealers, listDeliveries } from '@keyturn/contract/dealers/endpoints.ts'
import { expect, test } from 'vitest'
import type { SentRequest } from '../../../../tests/support/browser.ts'
import { anAdministrator } from '../../../../tests/support/people.ts'
import { aSaleAt } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { newId } from '../../../platform/database/new-id.ts'
import * as views from '../../deals/deal-view-repository.ts'
import * as store from './delivery-repository.ts'

// Each test stores further rows next to the target row and checks that the statement does not
// change them.

const server = await startTestServer()
const { db } = server.deps
const administrator = await anAdministrator(server)

type Kind = 'deal.passed' | 'deal.financing'
type Row = readonly [Kind, 'webhook' | 'mail', 'WAITING' | 'DELIVERED' | 'PARKED', tries?: number]

/** A deal with these deliveries and no others, in this order. */
async function aDealWith(...rows: Row[]) {
  const { car } = await aSaleAt(server, 'passed')
  const [deal] = await server.query<{ id: string; dealer_id: string }>(
    'select id, dealer_id from deals where car_id = $1',
    [car._id],
  )
  if (!deal) throw new Error('There is no deal')
  await server.query('delete from deliveries where deal_id = $1', [deal.id])
  const ids: string[] = []
  for (const [kind, way, state, tries = 0] of rows) {
    const id = newId()
    ids.push(id)
    await server.query(
      `insert into deliveries (id, deal_id, dealer_id, kind, way, state, tries, ended_at)
       values ($1, $2, $3, $4, $5, $6, $7, case when $6 = 'WAITING' then null else keyturn_now() end)`,
      [id, deal.id, deal.dealer_id, kind, way, state, tries],
    )
  }
  return { dealId: deal.id, dealerId: deal.dealer_id, ids }
}

// R-deals-74
test('finds a pending webhook delivery as the next one, but no email', async () => {
  const { dealId, ids } = await aDealWith(
    ['deal.passed', 'webhook', 'DELIVERED'],
    ['deal.passed', 'mail', 'WAITING'],
    ['deal.financing', 'webhook', 'WAITING'],
  )
  await aDealWith(['deal.passed', 'webhook', 'WAITING'])
  expect((await store.findNextDelivery(db, { dealId })).map(({ id }) => id)).toEqual([ids[2]])
})

test('counts an attempt only for its own delivery, and ignores one for an ended delivery', async () => {
  const { ids } = await aDealWith(
    ['deal.passed', 'webhook', 'WAITING'],
    ['deal.financing', 'webhook', 'WAITING'],
  )
  const tried = { ms: 1, status: 204, because: null, digest: null, state: 'DELIVERED', pauseMs: 0 } as const
  for (const id of [...ids, ids[0] ?? '']) await store.insertDeliveryAttempt(db, { id, ...tried })
  const tries = await server.query(
    'select delivery_id, number from delivery_tries where delivery_id = any($1) order by at, number',
    [ids],
  )
  expect(tries).toHaveLength(2)
  expect(tries).toEqual(expect.arrayContaining(ids.map((id) => ({ delivery_id: id, number: 1 }))))
  expect(await server.query('select tries from deliveries where id = $1', [ids[0]])).toEqual([{ tries: 1 }])
})

// R-deals-74
test('parks the following deliveries, but no ended ones and no emails', async () => {
  const { dealId, ids } = await aDealWith(
    ['deal.passed', 'webhook', 'DELIVERED'],
    ['deal.financing', 'webhook', 'WAITING'],
    ['deal.passed', 'mail', 'WAITING'],
  )
  expect(await store.parkLaterDeliveries(db, { dealId })).toEqual([{ id: ids[1] }])
})

test.each<[number, Row]>([
  [1, ['deal.passed', 'webhook', 'PARKED', 9]],
  [0, ['deal.passed', 'webhook', 'PARKED', 0]],
  [0, ['deal.passed', 'webhook', 'WAITING', 9]],
  [0, ['deal.financing', 'webhook', 'PARKED', 9]],
])('finds %d deals that were given up after attempts: %j', async (count, row) => {
  const { dealId } = await aDealWith(row)
  expect(await views.findFailedDelivery(db, { dealId })).toHaveLength(count)
})

test('pages the administrator’s list by state and counts pending deliveries by dealer', async () => {
  const { dealerId } = await aDealWith(
    ['deal.passed', 'webhook', 'PARKED'],
    ['deal.financing', 'webhook', 'DELIVERED'],
    ['deal.passed', 'mail', 'WAITING'],
  )
  const other = newId()
  await server.query(`insert into dealers (id, name) values ($1, 'Another')`, [other])
  for (const id of [dealerId, other])
    await server.query(
      `insert into deliveries (id, dealer_id, kind, way, state, ended_at) values ($1, $2, 'test', 'webhook', 'PARKED', keyturn_now())`,
      [newId(), id],
    )
  const counted = await server.query<{ id: string }>(
    `select id from deliveries where dealer_id = $1 and state = 'PARKED' and kind <> 'test'`,
    [dealerId],
  )
  const parked = (await administrator.ask(listDealers)).map(({ _id, parked: count }) => [_id, count])
  expect(parked).toEqual([
    [dealerId, counted.length],
    [other, 0],
  ])
  const expected = await server.query<{ id: string }>(
    `select id from deliveries where state = 'PARKED' order by created_at desc, id desc`,
  )
  const found: string[] = []
  let query: Record<string, string | number> | undefined = { state: 'PARKED', limit: 2 }
  while (query && found.length <= expected.length) {
    const page: SentRequest<typeof listDeliveries> = await administrator.send(listDeliveries, { query })
    found.push(...page.answer.map(({ _id }) => _id))
    const cursor: string | undefined = /cursor=([^&>]+)/.exec(String(page.headers.link))?.[1]
    query = cursor ? { ...query, cursor } : undefined
  }
  expect(found).toEqual(expected.map(({ id }) => id))
})
