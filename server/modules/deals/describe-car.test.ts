import * as carEndpoints from '@keyturn/contract/cars/endpoints.ts'
import { type OptionalDetails, optionalDetails, readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, test } from 'vitest'
import { listCarsOf, setPrice } from '../../../tests/support/sales/deal-moves.ts'
import {
  aListing,
  aSaleAt,
  confirmBuyer,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../tests/support/trades.ts'

const server = await startTestServer()

const words = {
  description: 'Always in a garage.\nNew tires last spring.',
  condition: 'A scratch on the left rear door.',
  owners: 2,
  titleHolder: 'LENDER',
} satisfies OptionalDetails
const noWords = optionalDetails.parse({})
const describe = ({ seller, car }: Pick<Sale, 'seller' | 'car'>, body: object = words) =>
  seller.send(carEndpoints.describeCar, { params: { carId: car._id }, body })

// R-cars-29
test('shows the seller’s text to everyone who sees the car, and removes what a later edit omits', async () => {
  const sale = await aSaleAt(server, 'started')
  const { car, at } = sale
  expect(car).toMatchObject(noWords)
  const { answer: described } = await describe(sale, { ...words, version: car.version })
  expect(described).toMatchObject({ ...words, price: car.price, color: car.color })
  expect(described.version).toBeGreaterThan(car.version)
  const shown = async () => (await server.browser().ask(readPublicCar, { params: at })).car
  expect(await shown()).toMatchObject({ ...words, version: described.version })
  expect(await listCarsOf(sale.buyer)).toMatchObject([words])
  expect((await readProgressOf(sale)).carDetails).toMatchObject(words)
  await describe(sale, { owners: 1 })
  expect(await shown()).toMatchObject({ ...noWords, owners: 1 })
})

const badOwners = 'Please enter a number of owners from 1 to 99.'
// R-cars-29
test.each([
  [{ description: 'x'.repeat(1001) }, 'Please keep this to 1,000 characters.'],
  [{ condition: 'x'.repeat(301) }, 'Please keep this to 300 characters.'],
  [{ description: 'a\u0007b' }, 'Please use only letters, numbers and common symbols.'],
  [{ owners: 0 }, badOwners],
  [{ owners: 100 }, badOwners],
  [{ owners: 1.5 }, badOwners],
  [{ titleHolder: 'DEALER' }, 'Please choose one of the options.'],
])('reports wrong words under their field (%#)', async (wrong, message) => {
  const { status, error } = await describe(await aListing(server), { ...words, ...wrong })
  expect([status, error.errors]).toEqual([400, [{ path: Object.keys(wrong)[0], message }]])
})

test('returns 409 with the current car for text based on a stale version', async () => {
  const listing = await aListing(server)
  await setPrice(listing, 9100)
  const late = await describe(listing, { ...words, version: listing.car.version })
  expect([late.status, late.error.errorCode]).toEqual([409, 'StaleVersion'])
  expect(late.error.current).toMatchObject({ price: 9100, ...noWords })
})

// R-cars-30
test('keeps signatures when the text changes, and rejects changes once a buyer is confirmed', async () => {
  const sale = await aSaleAt(server, 'requested')
  await signAsBuyer(sale)
  expect((await describe(sale)).status).toBe(200)
  expect(await readProgressOf(sale)).toMatchObject({ buyerSigned: true })
  await confirmBuyer(sale)
  expect(await statusAndCode(describe(sale))).toEqual([409, 'DealInProgress'])
  const other = await aSaleAt(server, 'confirmed')
  await signAsSeller(other)
  expect(await statusAndCode(describe(other))).toEqual([409, 'ExclusivityActive'])
})
