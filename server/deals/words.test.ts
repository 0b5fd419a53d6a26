import { publicCarPage } from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aListing, aSaleAt, confirm, progressOf, signAsBuyer, signAsSeller } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer } from '../test/people.ts'
import { codeOf } from '../test/trades.ts'

const house = await openHouse()

const words = {
  description: 'Always in a garage.\nNew tires last spring.',
  condition: 'A scratch on the left rear door.',
  owners: 2,
  titleHolder: 'LENDER' as const,
}
const unsaid = { description: '', condition: '', owners: null, titleHolder: null }

// R-cars-29
test('whoever sees a car reads what its seller says of it; what is left out the next time is said no longer', async () => {
  const { seller, car, at } = await aListing(house)
  const params = { carId: car._id }
  expect(car).toMatchObject(unsaid)
  const described = await seller.ask(calls.describeCar, { params, body: { ...words, version: car.version } })
  expect(described).toMatchObject({ ...words, price: car.price, color: car.color })
  expect(described.version).toBeGreaterThan(car.version)
  const shown = async () => (await house.browser().ask(publicCarPage, { params: at })).car
  expect(await shown()).toMatchObject({ ...words, version: described.version })
  const buyer = await aBuyer(house)
  await buyer.ask(calls.startProgress, { body: at })
  expect(await buyer.ask(calls.carsOf, { params: { userId: buyer.id } })).toMatchObject([words])
  expect((await buyer.ask(calls.getProgress, { params: at })).carDetails).toMatchObject(words)
  await seller.ask(calls.describeCar, { params, body: { owners: 1 } })
  expect(await shown()).toMatchObject({ ...unsaid, owners: 1 })
})

// R-cars-29
test.each([
  [{ description: 'x'.repeat(1001) }, 'Please keep this to 1,000 characters.'],
  [{ condition: 'x'.repeat(301) }, 'Please keep this to 300 characters.'],
  [{ description: 'a\u0007b' }, 'Please use only letters, numbers and common symbols.'],
  [{ owners: 0 }, 'Please enter a number of owners from 1 to 99.'],
  [{ owners: 100 }, 'Please enter a number of owners from 1 to 99.'],
  [{ owners: 1.5 }, 'Please enter a number of owners from 1 to 99.'],
  [{ owners: 'two' }, 'Please enter a number of owners from 1 to 99.'],
  [{ titleHolder: 'DEALER' }, 'Please choose one of the options.'],
])('what is wrong with the words is said (%#)', async (wrong, sentence) => {
  const { seller, car } = await aListing(house)
  const body = { ...words, ...wrong } as typeof words
  const refused = await seller.send(calls.describeCar, { params: { carId: car._id }, body })
  expect([refused.status, refused.refusal.errors]).toEqual([
    400,
    [{ path: Object.keys(wrong)[0], message: sentence }],
  ])
})

test('words that were written beside a newer state of the car are refused with it', async () => {
  const { seller, car } = await aListing(house)
  const params = { carId: car._id }
  await seller.ask(calls.updatePrice, { params, body: { newPrice: 9100 } })
  const late = await seller.send(calls.describeCar, { params, body: { ...words, version: car.version } })
  expect([late.status, late.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  expect(late.refusal.current).toMatchObject({ price: 9100, ...unsaid })
})

// R-cars-30
test('words void no signature, and stay as they are once a buyer is confirmed', async () => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  const describe = () => sale.seller.send(calls.describeCar, { params: { carId: sale.car._id }, body: words })
  expect((await describe()).status).toBe(200)
  expect(await progressOf(sale)).toMatchObject({ buyerSigned: true })
  await confirm(sale)
  expect(await codeOf(describe())).toEqual([409, 'DealInProgress'])
  expect(await progressOf(sale)).toMatchObject({ buyerSigned: true, status: 'ACCEPTED' })
  const other = await aSaleAt(house, 'confirmed')
  await signAsSeller(other)
  const held = other.seller.send(calls.describeCar, { params: { carId: other.car._id }, body: words })
  expect(await codeOf(held)).toEqual([409, 'ExclusivityActive'])
})
