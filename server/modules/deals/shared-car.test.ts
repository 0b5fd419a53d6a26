import { readCarOfSeller, readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer } from '../../../tests/support/people.ts'
import { aListing, aSaleAt, aVin, confirmBuyer, readProgressOf } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()

// R-cars-16
test('shows the asking price and the loan to everyone, and the buyer only to the seller', async () => {
  const sale = await aSaleAt(server, 'requested', { payoff: true })
  const stranger = server.browser()
  const page = await stranger.ask(readPublicCar, { params: sale.at })
  expect(page.car).toMatchObject({ price: 950000, status: 'PENDING', payoff: true })
  expect(page.user).toMatchObject({ firstName: 'Selma', email: sale.seller.email })
  for (const hidden of ['buyerId', 'message']) expect(page.car).not.toHaveProperty(hidden)
  expect((await stranger.ask(readCarOfSeller, { params: sale.at })).car.payoff).toBe(true)
  expect((await readProgressOf(sale)).carDetails.payoff).toBe(true)
  const sellersView = await sale.seller.ask(readCarOfSeller, { params: sale.at })
  expect(sellersView.car).toMatchObject({ buyerId: sale.buyer.id, payoff: true, price: 950000 })
  await confirmBuyer(sale)
  expect((await stranger.ask(readPublicCar, { params: sale.at })).car.status).toBe('ACCEPTED')
})

// R-cars-15
test('returns the same 404 for an unknown seller and an unknown car', async () => {
  const { at } = await aListing(server)
  const read = (params: typeof at) => server.browser().send(readPublicCar, { params })
  const [noSeller, noCar] = [
    await read({ ...at, userId: 'a'.repeat(24) }),
    await read({ ...at, vin: aVin() }),
  ]
  expect([noSeller.status, noSeller.body]).toEqual([404, noCar.body])
})

// R-cars-19
test('returns a sold car by its link only to its two parties', async () => {
  const sale = await aSaleAt(server, 'completed')
  for (const party of [sale.seller, sale.buyer]) {
    const { car } = await party.ask(readCarOfSeller, { params: sale.at })
    expect(car).toMatchObject({ buyerId: sale.buyer.id, status: 'COMPLETED' })
  }
  for (const nobody of [await aBuyer(server), server.browser()])
    expect((await nobody.send(readCarOfSeller, { params: sale.at })).status).toBe(404)
})
