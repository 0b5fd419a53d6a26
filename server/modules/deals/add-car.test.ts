import { addCar, lookUpVin, readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { addTrade } from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, aSeller, type TestPerson } from '../../../tests/support/people.ts'
import { aCar, aCarForm, aSaleAt, completeSale } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeForm, statusAndCode } from '../../../tests/support/trades.ts'

const server = await startTestServer()
const add = (seller: TestPerson, wishes: object) => seller.send(addCar, { body: aCarForm(wishes) })

// R-cars-13
test('allows one live listing per VIN, and another after the sale is complete', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { vin } = sale.car
  const second = await aSeller(server)
  expect(await statusAndCode(add(second, { vin }))).toEqual([409, 'VinAlreadyListed'])
  await completeSale(server, sale)
  expect((await add(second, { vin })).status).toBe(201)
})

// R-cars-1
test('reports each invalid or missing field of a car with its own sentence', async () => {
  const seller = await aSeller(server)
  const wrong = { vin: 'SHORT', year: 1900, mileage: 0, price: 1.5, payoff: 'no' }
  const sent = await seller.send(addCar, { body: wrong })
  expect(sent.status).toBe(400)
  const messages = Object.fromEntries(sent.error.errors?.map(({ path, message }) => [path, message]) ?? [])
  expect(messages).toMatchObject({
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
  expect((await add(seller, { payoff: undefined })).error.errors).toEqual([
    { path: 'payoff', message: 'Please answer yes or no.' },
  ])
  for (const price of [-1, 1.5, '1e9', 10_000_001, 2 ** 53])
    expect((await add(seller, { price })).status).toBe(400)
  const tooNew = await add(seller, { year: new Date().getFullYear() + 3 })
  expect(tooNew.error.errors).toEqual([{ path: 'year', message: 'Invalid year.' }])
})

// R-cars-2
test('stores price 0 as no price, returns no price as 0, and ignores fields that only the server sets', async () => {
  const seller = await aSeller(server)
  const car = await aCar(seller, { price: 0, status: 'COMPLETED', buyerId: seller.id, _id: 'f'.repeat(24) })
  expect(car).toMatchObject({ price: null, status: 'PENDING', buyerId: null, sellerId: seller.id })
  expect(car._id).not.toBe('f'.repeat(24))
  const at = { userId: seller.id, vin: car.vin }
  for (const sent of [
    await seller.send(calls.listCarsOfUser, { params: { userId: seller.id } }),
    await server.browser().send(readPublicCar, { params: at }),
    await (await aBuyer(server)).send(calls.startProgress, { body: at }),
  ])
    expect(sent.body).toMatch(/"(?:asking)?price":0[,}]/i)
})

// R-cars-14, R-cars-21
test('decodes a VIN offline, and stores the body type with the car, its deal and the trade', async () => {
  const [seller, buyer] = [await aSeller(server), await aBuyer(server)]
  const vin = '1HGCM82633A004352'
  expect((await aCar(seller)).bodyType).toBeNull()
  const found = await seller.ask(lookUpVin, { params: { vin: vin.toLowerCase() } })
  const honda = { make: 'Honda', carModel: 'Accord', year: 2003, trim: 'EX-V6', trims: [] }
  expect(found).toMatchObject({ vin, ...honda })
  expect(await server.query('select make from vin_answers where vin = $1', [vin])).toEqual([
    { make: 'Honda' },
  ])
  const at = { userId: seller.id, vin }
  for (const shown of [
    await aCar(seller, { vin }),
    (await buyer.ask(readPublicCar, { params: at })).car,
    (await buyer.ask(calls.startProgress, { body: at })).carDetails,
    await (await aBuyer(server)).ask(addTrade, { body: aTradeForm({ vin }) }),
  ])
    expect(shown.bodyType).toBe('coupe')
})
