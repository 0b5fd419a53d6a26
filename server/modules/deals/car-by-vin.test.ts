import { readCarByVin, readTimeline, startProgress } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, aSeller, type TestPerson } from '../../../tests/support/people.ts'
import { aListing, aSaleAt, aVin } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()
const limited = await startTestServer({ RATE_LIMITS: 'on' })

const read = (person: TestPerson, vin: string) => person.send(readCarByVin, { params: { vin } })
const enter = (person: TestPerson, vin: string) => person.send(startProgress, { body: { vin } })

// R-deals-90
test('returns the car only to its seller and its buyer; everybody else gets the 404 of an unknown VIN', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { vin } = sale.car
  expect((await read(sale.seller, vin)).answer.car).toMatchObject({ sellerId: sale.seller.id, price: 950000 })
  expect((await read(sale.buyer, vin)).answer.car).toMatchObject({ price: 900000, status: 'PENDING' })
  for (const stranger of [await aBuyer(server), await aSeller(server)]) {
    const [existing, absent] = [await read(stranger, vin), await read(stranger, aVin())]
    expect([existing.status, existing.body]).toEqual([404, absent.body])
    expect(existing.body).not.toContain(sale.seller.id)
  }
})

// R-deals-90
test('returns 404 to the buyer of an earlier sale of the same car', async () => {
  const sold = await aSaleAt(server, 'completed')
  const again = await aListing(server, { vin: sold.car.vin }, sold.seller)
  expect((await read(sold.buyer, sold.car.vin)).status).toBe(404)
  expect((await read(sold.seller, sold.car.vin)).answer.car._id).toBe(again.car._id)
})

// R-deals-4, R-deals-91
test('starts the purchase of a VIN’s one live listing and records who started it', async () => {
  const { seller, car, at } = await aListing(server)
  const buyer = await aBuyer(server)
  const { status, answer } = await enter(buyer, car.vin)
  expect([status, answer.sellerId]).toEqual([200, seller.id])
  expect((await read(buyer, car.vin)).answer.car._id).toBe(car._id)
  const [started] = await buyer.ask(readTimeline, { params: at })
  expect(started?.actor).toBe('BUYER')
  const recorded = await server.query('select event, actor_id from deal_events where deal_id = $1', [
    answer._id,
  ])
  expect(recorded).toEqual([{ event: 'started', actor_id: buyer.id }])
})

// R-deals-1, R-deals-3
test('rejects a VIN that is not listed, and the VIN of the caller’s own car', async () => {
  const { seller, car } = await aListing(server)
  const none = await enter(await aBuyer(server), aVin())
  expect([none.status, none.error.errorCode]).toEqual([404, 'NotFound'])
  const own = await enter(seller, car.vin)
  expect([own.status, own.error.errorCode]).toEqual([409, 'OwnCar'])
})

// R-deals-91
test('limits attempts with other people’s VINs, listed or not, but not with the caller’s own purchases and cars', async () => {
  const buyer = await aBuyer(limited)
  const { car } = await aListing(limited, {}, buyer)
  const first = await aListing(limited)
  expect((await enter(buyer, first.car.vin)).status).toBe(200)
  for (let tried = 1; tried < 10; tried++) expect((await enter(buyer, aVin())).status).toBe(404)
  const next = await aListing(limited, {}, first.seller)
  const refused = await enter(buyer, next.car.vin)
  expect([refused.status, refused.error.errorCode]).toEqual([429, 'TooManyRequests'])
  expect(refused.body).not.toContain(next.seller.id)
  expect((await enter(buyer, first.car.vin)).status).toBe(200)
  expect((await enter(buyer, car.vin)).status).toBe(409)
  // A shared link names the seller and is not limited.
  expect((await buyer.send(startProgress, { body: next.at })).status).toBe(200)
})
