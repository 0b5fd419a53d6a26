import { addCar, lookUpVin, publicCarPage } from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { addTrade } from '@keyturn/contract/trades/calls.ts'
import { expect, test } from 'vitest'
import { aCar, aCarForm, aSaleAt } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, anAdministrator, aSeller } from '../test/people.ts'
import { aTradeForm } from '../test/trades.ts'

// What it takes to list a car.

const house = await openHouse()

// R-cars-13
test('a VIN has one live listing; once the sale is complete it may be listed again', async () => {
  const { car, seller } = await aSaleAt(house, 'passed')
  const second = await aSeller(house)
  const again = await second.send(addCar, { body: aCarForm({ vin: car.vin }) })
  expect([again.status, again.refusal.errorCode]).toEqual([409, 'VinAlreadyListed'])
  const administrator = await anAdministrator(house)
  const { pkgId } = await seller.ask(calls.packageId, { params: { userId: seller.id, vin: car.vin } })
  await administrator.ask(calls.completeDeal, { params: { pkgId } })
  expect((await second.send(addCar, { body: aCarForm({ vin: car.vin }) })).status).toBe(201)
})

// R-cars-1
test('a car needs its fields, each with its own sentence', async () => {
  const seller = await aSeller(house)
  const sent = await seller.send(addCar, {
    body: { vin: 'SHORT', year: 1900, mileage: 0, price: 1.5, payoff: 'no' },
  })
  expect(sent.status).toBe(400)
  const said = Object.fromEntries(sent.refusal.errors?.map(({ path, message }) => [path, message]) ?? [])
  expect(said).toMatchObject({
    vin: 'Invalid VIN.',
    make: 'Car make is required.',
    carModel: 'Car model is required.',
    color: 'Car color is required.',
    trim: 'Car trim is required.',
    year: 'Invalid year.',
    mileage: 'Invalid mileage.',
    price: 'Invalid price.',
    payoff: 'Please answer yes or no.',
  })
  const { payoff: _, ...unanswered } = aCarForm()
  expect((await seller.send(addCar, { body: unanswered })).refusal.errors).toEqual([
    { path: 'payoff', message: 'Please answer yes or no.' },
  ])
  for (const price of [-1, 1.5, '1e9', 10_000_001, 2 ** 53])
    expect((await seller.send(addCar, { body: aCarForm({ price }) })).status).toBe(400)
  const tooNew = await seller.send(addCar, { body: aCarForm({ year: new Date().getFullYear() + 3 }) })
  expect(tooNew.refusal.errors).toEqual([{ path: 'year', message: 'Invalid year.' }])
})

// R-cars-2
test('price 0 or none means to be agreed, and what the caller may not set has no effect', async () => {
  const seller = await aSeller(house)
  const car = await aCar(seller, { price: 0, status: 'COMPLETED', buyerId: seller.id, _id: 'f'.repeat(24) })
  expect(car).toMatchObject({ price: null, status: 'PENDING', buyerId: null, sellerId: seller.id })
  expect(car._id).not.toBe('f'.repeat(24))
  const { vin } = car
  const stranger = house.browser()
  for (const sent of [
    await seller.send(calls.carsOf, { params: { userId: seller.id } }),
    await stranger.send(publicCarPage, { params: { userId: seller.id, vin } }),
    await (await aBuyer(house)).send(calls.startProgress, { body: { userId: seller.id, vin } }),
  ])
    expect(sent.body).toMatch(/"(?:asking)?price":0[,}]/i)
})

// R-cars-21
test('a looked-up VIN says by which drawing the car, its deal and the trade are shown', async () => {
  const seller = await aSeller(house)
  const vin = '1HGCM82633A004352'
  expect((await aCar(seller)).bodyType).toBeNull()
  await seller.ask(lookUpVin, { params: { vin } })
  expect((await aCar(seller, { vin })).bodyType).toBe('coupe')
  const buyer = await aBuyer(house)
  const at = { userId: seller.id, vin }
  expect((await buyer.ask(publicCarPage, { params: at })).car.bodyType).toBe('coupe')
  expect((await buyer.ask(calls.startProgress, { body: at })).carDetails.bodyType).toBe('coupe')
  const other = await aBuyer(house)
  expect((await other.ask(addTrade, { body: aTradeForm({ vin }) })).bodyType).toBe('coupe')
})

// R-cars-14
test('a VIN is decoded offline, once; what is no VIN is 422', async () => {
  const seller = await aSeller(house)
  const found = await seller.ask(lookUpVin, { params: { vin: '1hgcm82633a004352' } })
  expect(found).toMatchObject({ vin: '1HGCM82633A004352', make: 'Honda', carModel: 'Accord', year: 2003 })
  const [kept] = await house.query('select make from vin_answers where vin = $1', ['1HGCM82633A004352'])
  expect(kept).toEqual({ make: 'Honda' })
  expect(found).toMatchObject({ trim: 'EX-V6', trims: [] })
  const odyssey = await seller.ask(lookUpVin, { params: { vin: '5FNRL5H61EB075531' } })
  expect(odyssey).toMatchObject({ trim: '', trims: ['EXL', 'EXL-NAVI', 'EXL-RES'] })
  for (const vin of ['IOQ45678901234567', 'SHORT', 'ZZZZZZZZZZZZZZZZZ']) {
    const sent = await seller.send(lookUpVin, { params: { vin } })
    expect([sent.status, sent.refusal.message]).toEqual([422, 'Invalid VIN'])
  }
})
