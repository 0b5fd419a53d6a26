import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt, confirm, progressOf, signAsBuyer, signAsSeller, step } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'

// What a buyer wishes to borrow is told at the price that the deal has now, not at the one it was calculated for.

const house = await openHouse()

/** A request at $9,000 for a car of $9,500, whose loan was calculated for the asking price. */
async function aFinancedRequest(wish: object) {
  const sale = await aSaleAt(house, 'started')
  const { buyer, at, car } = sale
  await step(buyer, at, { step: [0, 1, 2, 3], hasTrade: false })
  await step(buyer, at, { step: [0, 1, 2, 3, 4], needsFinancing: true })
  const financing = { termMonths: 60, contactConsent: true, ...wish }
  await step(buyer, at, { step: [0, 1, 2, 3, 4, 5], financing })
  await buyer.ask(calls.requestCar, { body: { vin: car.vin, price: 9000, trades: [] } })
  return sale
}
type Financed = Awaited<ReturnType<typeof aFinancedRequest>>

/** What the requests table, the seller's and the buyer's own record say, in dollars. */
async function amountsOf(sale: Financed) {
  const { seller, car, at } = sale
  const [request] = await seller.ask(calls.requestsOnCar, { params: { carId: car._id } })
  const seen = [request, await seller.ask(calls.getProgress, { params: at }), await progressOf(sale)]
  return seen.map((shown) => (shown?.financing?.amount ?? 0) / 100)
}
const setPrice = ({ seller, car }: Financed, newPrice: number) =>
  seller.ask(calls.updatePrice, { params: { carId: car._id }, body: { newPrice } })

// R-deals-14
test('a loan is never above the price, whoever has changed it, in the package neither', async () => {
  const sale = await aFinancedRequest({ amount: 9500 })
  expect(await amountsOf(sale)).toEqual([9000, 9000, 9000])
  await setPrice(sale, 8500)
  expect(await amountsOf(sale)).toEqual([8500, 8500, 8500])
  await confirm(sale)
  await signAsSeller(sale)
  const { pkgId } = await signAsBuyer(sale)
  const pkg = await sale.seller.ask(calls.finalPackage, { params: { pkgId: pkgId ?? '' } })
  expect(pkg).toMatchObject({ price: 850000, financing: { amount: 850000, termMonths: 60 } })
})

test('what is paid down and the trade are taken from the present price', async () => {
  const sale = await aFinancedRequest({ amount: 7500, downPayment: 2000, tradeValue: 0 })
  expect(await amountsOf(sale)).toEqual([7000, 7000, 7000])
  await setPrice(sale, 9900)
  expect(await amountsOf(sale)).toEqual([7900, 7900, 7900])
})

test('whoever does without financing after all has no wish, also when they think of it again', async () => {
  const sale = await aFinancedRequest({ amount: 9000 })
  await step(sale.buyer, sale.at, { step: [], needsFinancing: false })
  expect((await progressOf(sale)).financing).toBe(null)
  await step(sale.buyer, sale.at, { step: [], needsFinancing: true })
  expect((await progressOf(sale)).financing).toBe(null)
})
