import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { timelineOf } from '../test/deal-moves.ts'
import { aSaleAt, type Sale } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { findEvidenceFaults } from './agreement/verify-evidence.ts'

const house = await openHouse()

const factsOf = async ({ car }: Sale) =>
  (
    await house.query<{ facts: object }>(
      'select facts from deal_events e join deals d on d.id = e.deal_id where d.car_id = $1 order by e.id',
      [car._id],
    )
  ).map(({ facts }) => facts)

// R-deals-46, R-deals-47
test('events are kept as facts, in cents, and read as sentences; which administrator acted is told to nobody', async () => {
  const sale = await aSaleAt(house, 'completed')
  const requested = { event: 'requested', price: 900_000 }
  expect(await factsOf(sale)).toEqual([
    { event: 'started' },
    requested,
    { event: 'confirmed', price: 900_000 },
    { event: 'sellerSigned', name: 'Selma Sanders' },
    { event: 'buyerSigned', name: 'Basil Byrd' },
    { event: 'passed', dealer: 'AutoNation' },
    { event: 'completed', by: 'admin' },
  ])
  const timeline = await timelineOf(sale)
  expect(timeline.find(({ event }) => event === 'requested')).toMatchObject({
    to: '$9,000',
    facts: requested,
  })
  expect(await findEvidenceFaults(house.deps.db)).toEqual([])
  const query = { buyerId: sale.buyer.id }
  for (const { body } of [
    await sale.buyer.send(calls.timeline, { params: sale.at }),
    await sale.seller.send(calls.timeline, { params: sale.at, query }),
  ]) {
    expect(body).toContain('"completed"')
    expect(body).not.toContain('"by"')
  }
})
