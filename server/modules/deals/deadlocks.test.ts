import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { deleteTrade } from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { raceRounds } from '../../../tests/cluster/rounds.ts'
import { aBuyer, aWholesaler } from '../../../tests/support/people.ts'
import { aListing, aRequest, readProgressOf, step } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt } from '../../../tests/support/trades.ts'

// Concurrent changes of rows of several cars lock in one order, so that none deadlocks.

const server = await startTestServer()

// R-everywhere-20
test('deletes two trades that three requests share concurrently, without a deadlock', async () => {
  const [buyer, wholesaler] = await Promise.all([aBuyer(server), aWholesaler(server)])
  const sales = []
  for (let i = 0; i < 3; i++) sales.push({ ...(await aListing(server)), buyer })
  for (const sale of sales) await aRequest(sale, buyer, 9000)
  const remove = (vin: string) => buyer.send(deleteTrade, { params: { vin } })
  const before = await countDeadlocks()
  for (let round = 0; round < raceRounds; round++) {
    const people = { owner: buyer, wholesaler }
    const trades = [await aTradeAt('ACCEPTED', people), await aTradeAt('ACCEPTED', people)]
    const pair = trades.map(({ vin }) => vin)
    for (const { at } of sales) await step(buyer, at, { hasTrade: true, tradeVins: pair })
    // One request includes the first trade; all three requests have both trades checked.
    const holder = sales[round % 3]
    if (!holder) throw new Error('three sales')
    const request = { vin: holder.car.vin, price: 9000, sellerId: holder.at.userId, trades: pair.slice(0, 1) }
    await buyer.ask(calls.requestCar, { body: request })
    await step(buyer, holder.at, { tradeVins: pair })
    const answers = await Promise.all(pair.map(remove))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    for (const sale of sales) expect((await readProgressOf(sale)).tradeVins).toEqual([])
  }
  expect(await countDeadlocks()).toBe(before)
})

/** The database's count, which includes those that a retry resolved. */
async function countDeadlocks(): Promise<number | undefined> {
  await server.query('select pg_stat_force_next_flush()')
  const [row] = await server.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return row?.n
}
