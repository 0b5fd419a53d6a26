import { publicCarPage, sellersCar } from '@keyturn/contract/cars/calls.ts'
import { getProgress } from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aListing, aSaleAt, aVin, confirm } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer } from '../test/people.ts'

// Who reads what of a car by its link.

const house = await openHouse()

// R-cars-16
test('the public page shows the asking price and leaves out what is the parties’ business', async () => {
  const sale = await aSaleAt(house, 'requested')
  const page = await house.browser().ask(publicCarPage, { params: sale.at })
  expect(page.car.price).toBe(950000)
  expect(page.car.status).toBe('PENDING')
  expect(page.user).toMatchObject({ firstName: 'Selma', email: sale.seller.email })
  for (const hidden of ['buyerId', 'message']) expect(page.car).not.toHaveProperty(hidden)
  await confirm(sale)
  expect((await house.browser().ask(publicCarPage, { params: sale.at })).car.status).toBe('ACCEPTED')
})

// R-cars-16
test('a loan on the car is told to everybody who sees it', async () => {
  const sale = await aSaleAt(house, 'started', { payoff: true })
  const stranger = house.browser()
  expect((await stranger.ask(publicCarPage, { params: sale.at })).car.payoff).toBe(true)
  expect((await stranger.ask(sellersCar, { params: sale.at })).car.payoff).toBe(true)
  const progress = await sale.buyer.ask(getProgress, { params: sale.at })
  expect(progress.carDetails.payoff).toBe(true)
})

// R-cars-15
test('an address that is no live car of that seller is the same 404 whatever is wrong with it', async () => {
  const { at } = await aListing(house)
  const stranger = house.browser()
  const bodies = await Promise.all(
    [
      { ...at, userId: 'a'.repeat(24) },
      { ...at, vin: aVin() },
    ].map(async (params) => {
      const sent = await stranger.send(publicCarPage, { params })
      expect(sent.status).toBe(404)
      return sent.body
    }),
  )
  expect(bodies[0]).toBe(bodies[1])
})

test('the seller reads the whole car by the link', async () => {
  const sale = await aSaleAt(house, 'requested')
  const whole = await sale.seller.ask(sellersCar, { params: sale.at })
  expect(whole.car).toMatchObject({ buyerId: sale.buyer.id, payoff: false, price: 950000 })
})

// R-cars-19
test('of a sold car the link tells its two parties alone', async () => {
  const sale = await aSaleAt(house, 'completed')
  for (const party of [sale.seller, sale.buyer]) {
    const { car } = await party.ask(sellersCar, { params: sale.at })
    expect(car).toMatchObject({ buyerId: sale.buyer.id, status: 'COMPLETED' })
  }
  for (const nobody of [await aBuyer(house), house.browser()])
    expect((await nobody.send(sellersCar, { params: sale.at })).status).toBe(404)
})
