import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aRequest, aSaleAt, aVin, confirm, offer, signAsBuyer, signAsSeller, step } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, aSeller, mailsTo } from '../test/people.ts'

// Asking for a car, and giving it up.

const house = await openHouse()

// R-deals-1, R-deals-15
test('a request needs its stage, its fields and a car that is not one’s own', async () => {
  const { at, seller, buyer, car } = await aSaleAt(house, 'started')
  const ask = (body: object) =>
    buyer.send(calls.requestCar, { body: { vin: car.vin, price: 9000, trades: [], ...body } })
  const early = await ask({})
  expect([early.status, early.refusal.errorCode]).toEqual([409, 'StageNotReachable'])
  const empty = await buyer.send(calls.requestCar, { body: {} })
  expect(empty.refusal.errors).toEqual([
    { path: 'vin', message: 'VIN is required' },
    { path: 'price', message: 'Price is required' },
  ])
  expect((await ask({ price: 0 })).refusal.message).toBe('Price is required')
  expect((await ask({ price: 12.5 })).refusal.message).toBe('Invalid price.')
  expect((await ask({ buyerId: seller.id })).status).toBe(404)
  expect((await ask({ sellerId: buyer.id })).status).toBe(404)
  expect((await ask({ vin: aVin() })).status).toBe(404)
  const own = await seller.send(calls.requestCar, { body: { vin: car.vin, price: 9000 } })
  expect(own.refusal.errorCode).toBe('OwnCar')
  await step(buyer, at, { step: [3], hasTrade: false })
  await step(buyer, at, { step: [5], needsFinancing: false })
  expect((await ask({})).status).toBe(201)
  // Walked back, and asked for nothing new all the same.
  await step(buyer, at, { step: [5], goBack: true })
  expect((await ask({})).status).toBe(200)
  const repeated = await ask({ price: 8700 })
  expect(repeated.status).toBe(200)
  expect(repeated.answer).toMatchObject({ price: 870000, status: 'PENDING' })
})

test('a car whose buyer is confirmed takes no further request', async () => {
  const sale = await aSaleAt(house, 'requested')
  const second = await aBuyer(house)
  await second.ask(calls.startProgress, { body: sale.at })
  await step(second, sale.at, { step: [3], hasTrade: false })
  await step(second, sale.at, { step: [5], needsFinancing: false })
  await confirm(sale)
  const late = await second.send(calls.requestCar, { body: { vin: sale.car.vin, price: 9900, trades: [] } })
  expect([late.status, late.refusal.errorCode]).toEqual([409, 'CarUnavailable'])
})

// R-deals-17
test('a buyer who says they have a trade must bring one', async () => {
  const { at, buyer, car } = await aSaleAt(house, 'started')
  await step(buyer, at, { step: [3], hasTrade: false })
  await step(buyer, at, { step: [5], needsFinancing: false })
  await step(buyer, at, { step: [], hasTrade: true })
  const none = await buyer.send(calls.requestCar, { body: { vin: car.vin, price: 9000, trades: [] } })
  expect(none.refusal).toMatchObject({
    errorCode: 'TradeRequired',
    message: 'You must select an accepted trade offer to proceed.',
  })
  const strange = await buyer.send(calls.requestCar, {
    body: { vin: car.vin, price: 9000, trades: [aVin()] },
  })
  expect(strange.refusal.errorCode).toBe('TradeUnavailable')
})

// R-deals-2
test('the seller sees every request side by side, a stranger none', async () => {
  const sale = await aSaleAt(house, 'requested')
  const second = await aBuyer(house)
  await aRequest(sale, second, 9300)
  await (await aBuyer(house)).ask(calls.startProgress, { body: sale.at })
  const requests = await sale.seller.ask(calls.requestsOnCar, { params: { carId: sale.car._id } })
  expect(requests.map(({ buyer, price }) => [buyer._id, price])).toEqual([
    [sale.buyer.id, 900000],
    [second.id, 930000],
  ])
  for (const person of [sale.buyer, await aSeller(house)])
    expect((await person.send(calls.requestsOnCar, { params: { carId: sale.car._id } })).status).toBe(404)
})

// R-deals-48, R-deals-58
test('a dashboard’s row says how its deal stands: the waiting offers, who has signed what holds now, until when, and with whom', async () => {
  const sale = await aSaleAt(house, 'started')
  const second = await aBuyer(house)
  const rows = () =>
    Promise.all(
      [sale.seller, sale.buyer].map(async (one) => {
        const cars = await one.ask(calls.carsOf, { params: { userId: one.id } })
        return cars.find(({ _id }) => _id === sale.car._id)
      }),
    )
  const deal = { price: null, sellerSigned: false, buyerSigned: false, exclusiveUntil: null, passedAt: null }
  const none = { agreedPrice: null, waitingOffers: 0, bestOffer: null }
  // Who only looks has not asked.
  expect(await rows()).toMatchObject([
    { askingPrice: 950000, deal: null, ...none, dealerName: house.deps.config.dealer.name },
    { askingPrice: 950000, deal, ...none, dealerName: house.deps.config.dealer.name },
  ])

  await aRequest(sale, sale.buyer, 9000)
  await aRequest(sale, second, 9300)
  await signAsBuyer(sale)
  const signed = { ...deal, price: 900000, buyerSigned: true }
  expect(await rows()).toMatchObject([
    { deal: signed, agreedPrice: null, waitingOffers: 2, bestOffer: 930000 },
    { deal: signed, ...none },
  ])
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, mileage: 92_000 } })
  const unsigned = { ...signed, buyerSigned: false }
  expect(await rows()).toMatchObject([{ deal: unsigned }, { deal: unsigned }])
  await signAsBuyer(sale)

  await offer(sale, 9100)
  await confirm(sale)
  await signAsSeller(sale)
  const [sellers, buyers] = await rows()
  expect(sellers).toMatchObject({
    price: 950000,
    askingPrice: 950000,
    deal: { price: 910000, sellerSigned: true, buyerSigned: false, exclusiveUntil: expect.any(String) },
    agreedPrice: 910000,
    waitingOffers: 1,
    bestOffer: 930000,
  })
  expect(buyers?.deal).toEqual(sellers?.deal)

  await signAsBuyer(sale)
  for (const row of await rows())
    expect(row?.deal).toMatchObject({ buyerSigned: true, passedAt: expect.any(String) })
})

// R-deals-20, R-deals-27
test('the buyer withdraws before both have signed, and the car is free', async () => {
  const sale = await aSaleAt(house, 'sellerSigned')
  await sale.buyer.ask(calls.deleteCar, {
    params: { userType: 'BUYER', userId: sale.buyer.id, vin: sale.car.vin },
  })
  expect((await sale.buyer.send(calls.getProgress, { params: sale.at })).status).toBe(404)
  const [car] = await sale.seller.ask(calls.carsOf, { params: { userId: sale.seller.id } })
  expect(car).toMatchObject({ status: 'PENDING', buyerId: null })
  await sale.seller.ask(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice: 9900 } })
  expect((await mailsTo(house, sale.seller.email))[0]?.subject).toContain('withdrew')
  const passed = await aSaleAt(house, 'passed')
  const late = await passed.buyer.send(calls.deleteCar, {
    params: { userType: 'BUYER', userId: passed.buyer.id, vin: passed.car.vin },
  })
  expect(late.refusal.errorCode).toBe('DealInProgress')
})
