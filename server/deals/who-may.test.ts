import { addCar } from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import {
  aCarForm,
  aRequest,
  aSaleAt,
  aVin,
  buyerSignature,
  progressOf,
  sellerSignature,
  turnDown,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aNewcomer, aSeller } from '../test/people.ts'

// Who stands on which side of a deal, and what everybody else finds.

const house = await openHouse()

// R-safe-11
test('a stranger changes nothing of a car or a deal and cannot tell it from none', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  const stranger = await aSeller(house)
  const { at, car } = sale
  const tries = await Promise.all([
    stranger.send(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 1 } }),
    stranger.send(calls.editCar, { body: { vin: car.vin, mileage: 1 } }),
    stranger.send(calls.deleteCar, { params: { userType: 'SELLER', userId: stranger.id, vin: car.vin } }),
    stranger.send(calls.deleteCar, { params: { userType: 'SELLER', userId: sale.seller.id, vin: car.vin } }),
    stranger.send(calls.deleteCar, { params: { userType: 'BUYER', userId: stranger.id, vin: car.vin } }),
    stranger.send(calls.getProgress, { params: at }),
    stranger.send(calls.getProgress, { params: at, query: { buyerId: sale.buyer.id } }),
    stranger.send(calls.timeline, { params: at }),
    stranger.send(calls.packageId, { params: at }),
    stranger.send(calls.updateProgress, { body: { ...at, data: buyerSignature() } }),
    stranger.send(calls.updateProgress, { body: { ...at, data: sellerSignature() } }),
    stranger.send(calls.carsOf, { params: { userId: sale.seller.id } }),
    stranger.send(calls.getBuyer, { params: { id: sale.buyer.id } }),
    stranger.send(calls.getSeller, { params: { id: sale.seller.id } }),
  ])
  for (const sent of tries) expect([sent.status, sent.refusal.errorCode]).toEqual([404, 'NotFound'])
  const none = await stranger.send(calls.getProgress, { params: { userId: 'b'.repeat(24), vin: aVin() } })
  expect(none.body).toBe(tries[5]?.body)
  expect(await progressOf(sale)).toMatchObject({
    status: 'ACCEPTED',
    sellerSigned: false,
    buyerSigned: false,
  })
})

test('a wizard without a request is its buyer’s own business: the seller finds nothing to read', async () => {
  const { seller, buyer, at } = await aSaleAt(house, 'started')
  const asks = { params: at, query: { buyerId: buyer.id } }
  const tries = [
    await seller.send(calls.getProgress, asks),
    await seller.send(calls.timeline, asks),
    await seller.send(calls.packageId, asks),
    await seller.send(calls.getBuyer, { params: { id: buyer.id } }),
  ]
  for (const sent of tries) expect([sent.status, sent.refusal.errorCode]).toEqual([404, 'NotFound'])
})

test('a buyer who has withdrawn, and their seller, no longer read how to reach each other', async () => {
  const { seller, buyer, car } = await aSaleAt(house, 'requested')
  const contacts = () =>
    Promise.all([
      seller.send(calls.getBuyer, { params: { id: buyer.id } }),
      buyer.send(calls.getSeller, { params: { id: seller.id } }),
    ])
  expect((await contacts()).map(({ status }) => status)).toEqual([200, 200])
  await buyer.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: buyer.id, vin: car.vin } })
  for (const sent of await contacts())
    expect([sent.status, sent.refusal.errorCode]).toEqual([404, 'NotFound'])
})

test('a deal makes nobody known but its two sides, and stands at its own address alone', async () => {
  const [sale, other] = [await aSaleAt(house, 'requested'), await aSaleAt(house, 'requested')]
  for (const sent of [
    await sale.seller.send(calls.getBuyer, { params: { id: other.buyer.id } }),
    await sale.buyer.send(calls.getSeller, { params: { id: other.seller.id } }),
    await sale.buyer.send(calls.getProgress, { params: { ...sale.at, userId: other.seller.id } }),
    await sale.buyer.send(calls.getProgress, { params: other.at }),
  ])
    expect([sent.status, sent.refusal.errorCode]).toEqual([404, 'NotFound'])
})

test('a seller who has turned every request down reads one by its buyer, and has no intended one', async () => {
  const sale = await aSaleAt(house, 'requested')
  await turnDown(sale)
  const { seller, buyer, at } = sale
  expect((await seller.send(calls.getProgress, { params: at })).status).toBe(404)
  const denied = await seller.ask(calls.getProgress, { params: at, query: { buyerId: buyer.id } })
  expect(denied.status).toBe('REJECTED')
})

// R-safe-7
test('a party on the wrong side is refused, not served', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  const asBuyer = await sale.seller.send(calls.updateProgress, {
    body: { ...sale.at, data: buyerSignature() },
  })
  const asSeller = await sale.buyer.send(calls.updateProgress, {
    body: { ...sale.at, data: sellerSignature() },
  })
  expect([asBuyer.status, asSeller.status]).toEqual([403, 403])
})

// R-accounts-35
test('the sides of a deal know each other’s address, a looker is unknown to the seller', async () => {
  const sale = await aSaleAt(house, 'started')
  expect((await sale.seller.send(calls.getBuyer, { params: { id: sale.buyer.id } })).status).toBe(404)
  await aRequest(sale, sale.buyer, 9000)
  const { buyer } = await sale.seller.ask(calls.getBuyer, { params: { id: sale.buyer.id } })
  expect(buyer.email).toBe(sale.buyer.email)
  const { seller } = await sale.buyer.ask(calls.getSeller, { params: { id: sale.seller.id } })
  expect(seller.firstName).toBe('Selma')
})

// R-safe-13
test('whoever has not verified their address reaches no deal data', async () => {
  const sale = await aSaleAt(house, 'requested')
  const newcomer = await aNewcomer(house, 'BUYER')
  for (const sent of [
    await newcomer.send(calls.startProgress, { body: sale.at }),
    await newcomer.send(calls.carsOf, { params: { userId: newcomer.id } }),
    await newcomer.send(addCar, { body: aCarForm() }),
  ])
    expect([sent.status, sent.refusal.errorCode]).toEqual([403, 'EmailNotVerified'])
})
