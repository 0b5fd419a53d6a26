import { adminLogin, login, register } from '@keyturn/contract/accounts/calls.ts'
import { addCar, publicCarPage } from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { openHouse } from '../test/house.ts'

const house = await openHouse()

const password = 'correct horse battery'
async function person(first: string, userType: 'BUYER' | 'SELLER') {
  const browser = house.browser()
  const email = `${first.toLowerCase()}@example.com`
  const user = await browser.ask(register, {
    body: { firstName: first, lastName: 'Test', email, phoneNumber: '5551234567', userType, password, confirmPassword: password },
  })
  await house.query('update users set verified_at = now() where id = $1', [user._id])
  return { ...browser, id: user._id }
}

test('a sale from listing to completion', async () => {
  const seller = await person('Sam', 'SELLER')
  const buyer = await person('Bea', 'BUYER')
  const stranger = await person('Stan', 'BUYER')
  const car = await seller.ask(addCar, {
    body: { vin: '1HGCM82633A004352', make: 'Honda', carModel: 'Accord', year: 2003, trim: 'EX', mileage: 90000, color: 'Silver', payoff: false, price: 5000 },
  })
  const at = { userId: seller.id, vin: car.vin }
  const page = await stranger.ask(publicCarPage, { params: at })
  expect(page.car.price).toBe(500000)
  await buyer.ask(calls.startProgress, { body: at })
  const step = (data: object) => buyer.ask(calls.updateProgress, { body: { ...at, data: { userType: 'BUYER', ...data } } })
  await step({ step: [0, 1, 2, 3], hasTrade: false })
  await step({ step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  const asked = await buyer.send(calls.requestCar, { body: { vin: car.vin, price: 4800, buyerId: buyer.id, trades: [] } })
  expect(asked.status).toBe(201)
  const signed = await step({ agreementSigned: true, buyerSigned: true, buyerSignedName: 'Bea Test', buyerSignature: 'Bea T.', step: [0, 1, 2, 3, 4, 5, 6, 7] })
  expect(signed.buyerSigned).toBe(true)
  const [request] = await seller.ask(calls.requestsOnCar, { params: { carId: car._id } })
  expect(request?.buyerSigned).toBe(true)
  const confirmed = await seller.ask(calls.decideBuyer, { body: { ...at, status: 'ACCEPTED', version: request?.version } })
  expect(confirmed.status).toBe('ACCEPTED')
  const done = await seller.ask(calls.updateProgress, {
    body: { ...at, data: { userType: 'SELLER', step: [0, 1, 2], agreementSigned: true, sellerSigned: true, sellerSignedName: 'Sam Test', sellerSignature: 'Sam' } },
  })
  expect(done.pkgId).toMatch(/^[0-9a-f]{24}$/)
  const pkg = await buyer.ask(calls.finalPackage, { params: { pkgId: done.pkgId ?? '' } })
  expect(pkg.agreement.seller.name).toBe('Sam Test')
  expect((await stranger.send(calls.finalPackage, { params: { pkgId: done.pkgId ?? '' } })).status).toBe(404)
  const admin = house.browser()
  await admin.ask(adminLogin, { body: { username: 'admin', password: 'open sesame 42' } })
  const completed = await admin.ask(calls.completeDeal, { params: { pkgId: done.pkgId ?? '' } })
  expect(completed.completed).toBe(true)
  const rows = await seller.ask(calls.carsOf, { params: { userId: seller.id } })
  expect(rows[0]?.status).toBe('COMPLETED')
  expect((await buyer.ask(calls.timeline, { params: at })).map((entry) => entry.event)).toEqual([
    'completed', 'passed', 'sellerSigned', 'confirmed', 'buyerSigned', 'requested', 'started',
  ])
})
void login
