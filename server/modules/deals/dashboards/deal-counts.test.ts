import { expect, test } from 'vitest'
import {
  aSaleAt,
  confirmBuyer,
  offerPrice,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { mergeDealCounts, readDealGauges } from './deal-counts.ts'

const server = await startTestServer()

const readCounts = async () =>
  Object.fromEntries(
    (await readDealGauges(server.deps.db))
      .filter(({ gauge, value }) => gauge === 'keyturn_deals' && value !== 0)
      .map(({ of, value }) => [of, value]),
  )
const expectAsStored = async () => {
  const stored = await server.query<{ state: string; deals: number }>(
    'select counted_state(deals) as state, count(*)::int as deals from deals group by 1',
  )
  expect(await readCounts()).toEqual(Object.fromEntries(stored.map(({ state, deals }) => [state, deals])))
}

test('updates the counts after every move of a deal, and merging the rows changes no count', async () => {
  const stages = ['started', 'requested', 'confirmed', 'sellerSigned', 'passed', 'completed'] as const
  for (const stage of stages) await aSaleAt(server, stage)
  expect(await readCounts()).toEqual({ started: 1, pending: 1, accepted: 2, passed: 1, completed: 1 })
  const sale = await aSaleAt(server, 'requested')
  await confirmBuyer(sale)
  await turnDown(sale)
  await offerPrice(sale, 9100).catch(() => {})
  await signAsSeller(await aSaleAt(server, 'confirmed'))
  await signAsBuyer(await aSaleAt(server, 'sellerSigned'))
  await expectAsStored()
  await server.query(
    `update deals set withdrawn_at = now() where passed_at is not null and status = 'ACCEPTED'`,
  )
  await expectAsStored()
  const before = await readCounts()
  expect(before).toMatchObject({ called_off: 2 })
  // Two servers clean up concurrently.
  await Promise.all([mergeDealCounts(server.deps.db), mergeDealCounts(server.deps.db)])
  expect(await readCounts()).toEqual(before)
  const [rows] = await server.query<{ rows: number }>('select count(*)::int as rows from deal_counts')
  expect(rows?.rows).toBeLessThan(16)
})
