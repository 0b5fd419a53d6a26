import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt, progressOf } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { findEvidenceFaults } from './agreement/verify-evidence.ts'

const house = await openHouse()

// R-deals-47
test('events are kept as facts, in cents, and read as sentences', async () => {
  const sale = await aSaleAt(house, 'passed')
  const rows = await house.query<{ facts: object }>(
    'select facts from deal_events e join deals d on d.id = e.deal_id where d.car_id = $1 order by e.id',
    [sale.car._id],
  )
  expect(rows.map(({ facts }) => facts)).toEqual([
    { event: 'started' },
    { event: 'requested', price: 900_000 },
    { event: 'confirmed', price: 900_000 },
    { event: 'sellerSigned', name: 'Selma Sanders' },
    { event: 'buyerSigned', name: 'Basil Byrd' },
    { event: 'passed', dealer: 'AutoNation' },
  ])
  const timeline = await sale.buyer.ask(calls.timeline, { params: sale.at })
  expect(timeline.find(({ event }) => event === 'requested')).toMatchObject({
    to: '$9,000',
    facts: { event: 'requested', price: 900_000 },
  })
  expect(await findEvidenceFaults(house.deps.db)).toEqual([])
})

// R-deals-47
test('an event whose facts were changed shows', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  await house.query('alter table deal_events disable trigger user')
  await house.query(
    `update deal_events set facts = '{"event": "confirmed", "price": 800000}'
     where event = 'confirmed' and deal_id in (select id from deals where car_id = $1)`,
    [sale.car._id],
  )
  await house.query('alter table deal_events enable trigger user')
  expect(await findEvidenceFaults(house.deps.db)).toMatchObject([{ table: 'deal_events' }])
})

// R-deals-46
test('which administrator completed a deal is recorded, and told to nobody', async () => {
  const sale = await aSaleAt(house, 'completed')
  const [row] = await house.query<{ facts: object }>(
    `select facts from deal_events e join deals d on d.id = e.deal_id where d.car_id = $1 and event = 'completed'`,
    [sale.car._id],
  )
  expect(row?.facts).toEqual({ event: 'completed', by: 'admin' })
  for (const [reader, query] of [
    [sale.buyer, {}],
    [sale.seller, { buyerId: (await progressOf(sale)).buyerId }],
  ] as const) {
    const { body } = await reader.send(calls.timeline, { params: sale.at, query })
    expect(body).toContain('"completed"')
    expect(body).not.toContain('"by"')
  }
})
