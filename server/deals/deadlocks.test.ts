import type { AddressInfo } from 'node:net'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { deleteTrade } from '@keyturn/contract/trades/calls.ts'
import { expect, test } from 'vitest'
import { aListing, aRequest, progressOf, step } from '../test/deals.ts'
import { rounds } from '../test/fleet/rounds.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, aWholesaler } from '../test/people.ts'
import { aTradeAt } from '../test/trades.ts'

// Two who change rows of several cars come after each other: neither blocks the other until the database gives one up.

const house = await openHouse()
await house.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = house.app.server.address() as AddressInfo

// R-everywhere-20
test('two trades of three requests, deleted at once, are both deleted without waiting in a ring', async () => {
  const [buyer, wholesaler] = await Promise.all([aBuyer(house), aWholesaler(house)])
  const sales = []
  for (let i = 0; i < 3; i++) sales.push({ ...(await aListing(house)), buyer })
  for (const sale of sales) await aRequest(sale, buyer, 9000)
  const remove = (vin: string) =>
    fetch(`http://127.0.0.1:${port}${deleteTrade.path.replace(':vin', vin)}`, {
      method: deleteTrade.method,
      headers: { cookie: [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
  const before = await deadlocks()
  for (let round = 0; round < rounds; round++) {
    const people = { owner: buyer, wholesaler }
    const pair = [await aTradeAt('ACCEPTED', people), await aTradeAt('ACCEPTED', people)].map(
      ({ vin }) => vin,
    )
    for (const { at } of sales) await step(buyer, at, { hasTrade: true, tradeVins: pair })
    // One request holds the first of them, another the second, and all three have both of them ticked.
    const holder = sales[round % 3]
    if (!holder) throw new Error('three sales')
    const request = { vin: holder.car.vin, price: 9000, sellerId: holder.at.userId, trades: pair.slice(0, 1) }
    await buyer.ask(calls.requestCar, { body: request })
    await step(buyer, holder.at, { tradeVins: pair })
    const answers = await Promise.all(pair.map(remove))
    const told = await Promise.all(answers.map(async (one) => [one.status, await one.text()]))
    expect(told).toEqual([
      [200, '{"ok":true}'],
      [200, '{"ok":true}'],
    ])
    for (const sale of sales) expect((await progressOf(sale)).tradeVins).toEqual([])
  }
  expect(await deadlocks()).toBe(before)
})

/** What the database counts: one that was run again and succeeded is counted, too. */
async function deadlocks(): Promise<number | undefined> {
  await house.query('select pg_stat_force_next_flush()')
  const [row] = await house.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return row?.n
}
