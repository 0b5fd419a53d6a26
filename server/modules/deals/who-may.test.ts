import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { withdraw } from '../../../tests/support/sales/deal-moves.ts'
import {
  aRequest,
  aSaleAt,
  buyerSignature,
  type Sale,
  sellerSignature,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { codeOf } from '../../../tests/support/trades.ts'

// Who stands on which side of a deal; what strangers find is in `support/strangers.test.ts`.

const server = await startTestServer()

const readBuyer = ({ seller, buyer }: Pick<Sale, 'seller' | 'buyer'>) =>
  seller.send(calls.getBuyer, { params: { id: buyer.id } })
const readSeller = ({ seller, buyer }: Pick<Sale, 'seller' | 'buyer'>) =>
  buyer.send(calls.getSeller, { params: { id: seller.id } })

// R-accounts-35
test('the sides of a deal know how to reach each other from the request on, until it is withdrawn', async () => {
  const sale = await aSaleAt(server, 'started')
  const { seller, buyer, at } = sale
  const asks = { params: at, query: { buyerId: buyer.id } }
  // A wizard without a request is its buyer's own business: the seller finds nothing to read.
  for (const sent of [
    seller.send(calls.getProgress, asks),
    seller.send(calls.timeline, asks),
    seller.send(calls.packageId, asks),
    readBuyer(sale),
  ])
    expect(await codeOf(sent)).toEqual([404, 'NotFound'])
  await aRequest(sale, buyer, 9000)
  expect((await readBuyer(sale)).answer.buyer.email).toBe(buyer.email)
  expect((await readSeller(sale)).answer.seller.firstName).toBe('Selma')
  await withdraw(sale)
  for (const sent of [readBuyer(sale), readSeller(sale)])
    expect(await codeOf(sent)).toEqual([404, 'NotFound'])
})

test('a deal makes nobody known but its two sides, and stands at its own address alone', async () => {
  const [sale, other] = [await aSaleAt(server, 'requested'), await aSaleAt(server, 'requested')]
  for (const sent of [
    readBuyer({ ...sale, buyer: other.buyer }),
    readSeller({ ...sale, seller: other.seller }),
    sale.buyer.send(calls.getProgress, { params: { ...sale.at, userId: other.seller.id } }),
    sale.buyer.send(calls.getProgress, { params: other.at }),
  ])
    expect(await codeOf(sent)).toEqual([404, 'NotFound'])
})

test('a seller who has turned every request down reads one by its buyer, and has no intended one', async () => {
  const sale = await aSaleAt(server, 'requested')
  await turnDown(sale)
  const { seller, buyer, at } = sale
  expect((await seller.send(calls.getProgress, { params: at })).status).toBe(404)
  const denied = await seller.ask(calls.getProgress, { params: at, query: { buyerId: buyer.id } })
  expect(denied.status).toBe('REJECTED')
})

// R-safe-7
test('a party on the wrong side is refused, not served', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'confirmed')
  const asBuyer = seller.send(calls.updateProgress, { body: { ...at, data: buyerSignature() } })
  const asSeller = buyer.send(calls.updateProgress, { body: { ...at, data: sellerSignature() } })
  for (const sent of [asBuyer, asSeller]) expect((await sent).status).toBe(403)
})
