import * as calls from '@keyturn/contract/deals/calls.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  aListing,
  aRequest,
  aSaleAt,
  buyerSignature,
  confirm,
  progressOf,
  signAsBuyer,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer } from '../test/people.ts'

// What a seller changes of their own listing, in the eyes of those who want the car.

const house = await openHouse()

test('a signature sent with the version from before the car was edited is refused', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer, at, car } = sale
  const { version } = await progressOf(sale)
  const sign = (given: number) =>
    buyer.send(calls.updateProgress, { body: { ...at, version: given, data: buyerSignature() } })
  await seller.ask(calls.editCar, { body: { vin: car.vin, mileage: 192_000 } })
  const late = await sign(version)
  expect(late.refusal).toMatchObject({
    errorCode: 'StaleVersion',
    current: { terms: { mileage: 192_000 }, buyerSigned: false },
  })
  const now = await progressOf(sale)
  expect((await sign(now.version)).answer.buyerSigned).toBe(true)
})

test('an edit that touches no term makes nobody’s version old', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { version } = await progressOf(sale)
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, color: 'Blue' } })
  expect((await progressOf(sale)).version).toBe(version)
})

test('every buyer’s version grows with a changed term, whatever they are about', async () => {
  const sale = await aSaleAt(house, 'requested')
  const [denied, looking] = [await aBuyer(house), await aBuyer(house)]
  await aRequest(sale, denied, 9100)
  const answer = { ...sale.at, buyerId: denied.id, status: 'REJECTED' }
  await sale.seller.ask(calls.decideBuyer, { body: answer })
  await looking.ask(calls.startProgress, { body: sale.at })
  const versions = () =>
    Promise.all(
      [sale.buyer, denied, looking].map(async (buyer) => (await progressOf({ ...sale, buyer })).version),
    )
  const before = await versions()
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, year: 2004 } })
  const after = await versions()
  for (const [place, version] of after.entries()) expect(version).toBeGreaterThan(before[place] ?? 0)
  await confirm(sale)
  expect((await signAsBuyer(sale)).terms?.year).toBe(2004)
})

test('a new asking price reaches the open pages of buyers who have not asked yet, or were denied', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer, car, at } = sale
  await seller.ask(calls.decideBuyer, { body: { ...at, buyerId: buyer.id, status: 'REJECTED' } })
  const looking = await aBuyer(house)
  await looking.ask(calls.startProgress, { body: at })
  const told = await signalledBy(() =>
    seller.ask(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 9900 } }),
  )
  for (const person of [seller, buyer, looking]) expect(told).toContain(person.id)
  expect((await progressOf(sale)).askingPrice).toBe(990_000)
  const nobodys = await aListing(house)
  const alone = await signalledBy(() =>
    nobodys.seller.ask(calls.updatePrice, { params: { carId: nobodys.car._id }, body: { newPrice: 9900 } }),
  )
  expect(alone).toContain(nobodys.seller.id)
  expect(alone).not.toContain(looking.id)
})

/** Everything that open pages were signalled while `act` ran, and a moment more. */
async function signalledBy(act: () => Promise<unknown>): Promise<string> {
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  try {
    const heard: string[] = []
    client.on('notification', ({ payload = '' }) => heard.push(payload))
    await client.query('listen keyturn')
    await act()
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    // What was sent before is delivered before the next answer.
    await client.query('select 1')
    return heard.join('\n')
  } finally {
    await client.end()
  }
}
