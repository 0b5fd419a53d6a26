import * as calls from '@keyturn/contract/deals/calls.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { expect, test } from 'vitest'
import {
  aRequest,
  aSaleAt,
  confirm,
  offer,
  progressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer } from '../test/people.ts'

// What has happened to a request, in the eyes of the seller who is to decide about it.

const house = await openHouse()

const requestOf = async ({ seller, buyer, car }: Sale) => {
  const all = await seller.ask(calls.requestsOnCar, { params: { carId: car._id } })
  return all.find((request) => request.buyer._id === buyer.id)
}
const newestNotice = async ({ seller }: Sale) =>
  (await seller.ask(listNotifications, { query: {} }))[0]?.message

test('the bell tells a changed offer with the price before', async () => {
  const sale = await aSaleAt(house, 'requested')
  await offer(sale, 8800)
  expect(await newestNotice(sale)).toBe(
    'Basil Byrd changed the offer for your 2003 Honda Accord EX from $9,000 to $8,800.',
  )
  await sale.buyer.ask(calls.requestCar, { body: { vin: sale.car.vin, price: 8700, trades: [] } })
  expect(await newestNotice(sale)).toContain('from $8,800 to $8,700')
})

test('an offer at the same price, after it was signed or turned down, is told as a new request', async () => {
  const sale = await aSaleAt(house, 'requested')
  const told = 'Basil Byrd sent a new request for your 2003 Honda Accord EX. The price is still $9,000.'
  await signAsBuyer(sale)
  await offer(sale, 9000)
  expect(await newestNotice(sale)).toBe(told)
  await offer(sale, 8900)
  await offer(sale, 9000)
  await turnDown(sale)
  await offer(sale, 9000)
  expect(await newestNotice(sale)).toBe(told)
})

test('each request tells its own story to the seller, whichever is the older', async () => {
  const sale = await aSaleAt(house, 'requested')
  const second = { ...sale, buyer: await aBuyer(house) }
  await aRequest(second, second.buyer, 9300)
  await offer(second, 9100)
  const storyOf = ({ seller, at, buyer }: Sale) =>
    seller.ask(calls.timeline, { params: at, query: { buyerId: buyer.id } })
  expect((await storyOf(second))[0]).toMatchObject({ event: 'repriced', from: '$9,300', to: '$9,100' })
  expect((await storyOf(sale)).map(({ event }) => event)).toEqual(['requested', 'started'])
})

test('a hold that ended is told of its own request, also when another one is older', async () => {
  const sale = await aSaleAt(house, 'requested')
  const late = { ...sale, buyer: await aBuyer(house) }
  await aRequest(late, late.buyer, 9300)
  await confirm(late)
  await signAsSeller(late)
  expect(await requestOf(late)).toMatchObject({
    status: 'ACCEPTED',
    exclusivityExpired: false,
    // It is the seller who has signed.
    buyerSignatureVoided: false,
  })
  await house.query('update deals set exclusive_until = keyturn_now() where buyer_id = $1', [late.buyer.id])
  expect(await requestOf(late)).toMatchObject({ status: 'PENDING', exclusivityExpired: true })
  expect(await requestOf(sale)).toMatchObject({ status: 'PENDING', exclusivityExpired: false })
  expect((await progressOf(sale)).exclusivityExpired).toBe(false)
  await confirm(late)
  expect(await requestOf(late)).toMatchObject({ exclusivityExpired: false })
})

test('a signature that counts no more is told apart from none, until it is given again', async () => {
  const sale = await aSaleAt(house, 'requested')
  const unsigned = { ...sale, buyer: await aBuyer(house) }
  await aRequest(unsigned, unsigned.buyer, 9300)
  const signatures = async () =>
    Promise.all(
      [sale, unsigned].map(async (one) => {
        const request = await requestOf(one)
        return [request?.buyerSigned, request?.buyerSignatureVoided]
      }),
    )
  const none = [false, false]
  expect(await signatures()).toEqual([none, none])
  await signAsBuyer(sale)
  expect(await signatures()).toEqual([[true, false], none])
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, mileage: 92_000 } })
  expect(await signatures()).toEqual([[false, true], none])
  await signAsBuyer(sale)
  expect(await signatures()).toEqual([[true, false], none])
})
