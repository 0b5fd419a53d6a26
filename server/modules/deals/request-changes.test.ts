import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, test } from 'vitest'
import {
  anotherRequest,
  editCar,
  listRequestsOn,
  tryToRequest,
} from '../../../tests/support/sales/deal-moves.ts'
import {
  aSaleAt,
  confirmBuyer,
  offerPrice,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()

const requestOf = async (sale: Sale) =>
  (await listRequestsOn(sale)).find((request) => request.buyer._id === sale.buyer.id)
const newestNotice = async ({ seller }: Sale) =>
  (await seller.ask(listNotifications, { query: {} }))[0]?.message

test('notifies the seller of a changed offer with the previous price', async () => {
  const sale = await aSaleAt(server, 'requested')
  const changed = (from: string, to: string) =>
    `Basil Byrd changed the offer for your 2003 Honda Accord EX from ${from} to ${to}.`
  await offerPrice(sale, 8800)
  expect(await newestNotice(sale)).toBe(changed('$9,000', '$8,800'))
  await tryToRequest(sale, 8700)
  expect(await newestNotice(sale)).toBe(changed('$8,800', '$8,700'))
})

test('returns a separate timeline for each request to the seller', async () => {
  const sale = await aSaleAt(server, 'requested')
  const second = await anotherRequest(server, sale)
  await offerPrice(second, 9100)
  const readTimeline = ({ seller, at, buyer }: Sale) =>
    seller.ask(calls.readTimeline, { params: at, query: { buyerId: buyer.id } })
  expect((await readTimeline(second))[0]).toMatchObject({ event: 'repriced', from: '$9,300', to: '$9,100' })
  expect((await readTimeline(sale)).map(({ event }) => event)).toEqual(['requested', 'started'])
})

test('reports an ended hold only for its own request', async () => {
  const sale = await aSaleAt(server, 'requested')
  const late = await anotherRequest(server, sale)
  await confirmBuyer(late)
  await signAsSeller(late)
  // Only the seller has signed.
  const held = { status: 'ACCEPTED', exclusivityExpired: false, buyerSignatureVoided: false }
  expect(await requestOf(late)).toMatchObject(held)
  await server.query('update deals set exclusive_until = keyturn_now() where buyer_id = $1', [late.buyer.id])
  expect(await requestOf(late)).toMatchObject({ status: 'PENDING', exclusivityExpired: true })
  expect(await requestOf(sale)).toMatchObject({ status: 'PENDING', exclusivityExpired: false })
  expect((await readProgressOf(sale)).exclusivityExpired).toBe(false)
  await confirmBuyer(late)
  expect(await requestOf(late)).toMatchObject({ exclusivityExpired: false })
})

test('distinguishes a voided signature from a missing one until the buyer signs again', async () => {
  const sale = await aSaleAt(server, 'requested')
  const unsigned = await anotherRequest(server, sale)
  const expectSignature = async (buyerSigned: boolean, buyerSignatureVoided: boolean) => {
    expect(await requestOf(sale)).toMatchObject({ buyerSigned, buyerSignatureVoided })
    expect(await requestOf(unsigned)).toMatchObject({ buyerSigned: false, buyerSignatureVoided: false })
  }
  await expectSignature(false, false)
  await signAsBuyer(sale)
  await expectSignature(true, false)
  await editCar(sale, { mileage: 92_000 })
  await expectSignature(false, true)
  await signAsBuyer(sale)
  await expectSignature(true, false)
})
