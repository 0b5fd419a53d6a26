import { expect, test } from 'vitest'
import {
  aSaleAt,
  confirm,
  offer,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { countDeals, mergeDealCounts } from './deal-counts.ts'

const house = await startTestServer()

const counted = async () =>
  Object.fromEntries(
    (await countDeals(house.deps.db))
      .filter(({ gauge, value }) => gauge === 'keyturn_deals' && value !== 0)
      .map(({ of, value }) => [of, value]),
  )
const expectAsStored = async () => {
  const stored = await house.query<{ state: string; deals: number }>(
    'select counted_state(deals) as state, count(*)::int as deals from deals group by 1',
  )
  expect(await counted()).toEqual(Object.fromEntries(stored.map(({ state, deals }) => [state, deals])))
}

test('the counts of deals follow every move, and folding them changes none', async () => {
  const stages = ['started', 'requested', 'confirmed', 'sellerSigned', 'passed', 'completed'] as const
  for (const stage of stages) await aSaleAt(house, stage)
  expect(await counted()).toEqual({ started: 1, pending: 1, accepted: 2, passed: 1, completed: 1 })
  const sale = await aSaleAt(house, 'requested')
  await confirm(sale)
  await turnDown(sale)
  await offer(sale, 9100).catch(() => {})
  await signAsSeller(await aSaleAt(house, 'confirmed'))
  await signAsBuyer(await aSaleAt(house, 'sellerSigned'))
  await expectAsStored()
  await house.query(
    `update deals set withdrawn_at = now() where passed_at is not null and status = 'ACCEPTED'`,
  )
  await expectAsStored()
  const before = await counted()
  expect(before).toMatchObject({ called_off: 2 })
  // Two servers clean up at the same moment.
  await Promise.all([mergeDealCounts(house.deps.db), mergeDealCounts(house.deps.db)])
  expect(await counted()).toEqual(before)
  const [rows] = await house.query<{ rows: number }>('select count(*)::int as rows from deal_counts')
  expect(rows?.rows).toBeLessThan(16)
})
