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
import { statusAndCode } from '../../../tests/support/trades.ts'

// Access of the parties to each other. Strangers are covered by `tests/support/strangers.test.ts`.

const server = await startTestServer()

const readBuyer = ({ seller, buyer }: Pick<Sale, 'seller' | 'buyer'>) =>
  seller.send(calls.getBuyer, { params: { id: buyer.id } })
const readSeller = ({ seller, buyer }: Pick<Sale, 'seller' | 'buyer'>) =>
  buyer.send(calls.getSeller, { params: { id: seller.id } })

// R-accounts-35
test('shares contact data between the parties from the request until it is withdrawn', async () => {
  const sale = await aSaleAt(server, 'started')
  const { seller, buyer, at } = sale
  const asks = { params: at, query: { buyerId: buyer.id } }
  // A deal without a request is private to its buyer.
  for (const sent of [
    seller.send(calls.getProgress, asks),
    seller.send(calls.readTimeline, asks),
    seller.send(calls.readPackageId, asks),
    readBuyer(sale),
  ])
    expect(await statusAndCode(sent)).toEqual([404, 'NotFound'])
  await aRequest(sale, buyer, 9000)
  expect((await readBuyer(sale)).answer.buyer.email).toBe(buyer.email)
  expect((await readSeller(sale)).answer.seller.firstName).toBe('Selma')
  await withdraw(sale)
  for (const sent of [readBuyer(sale), readSeller(sale)])
    expect(await statusAndCode(sent)).toEqual([404, 'NotFound'])
})

test('returns 404 for people of other deals, and at another deal’s address', async () => {
  const [sale, other] = [await aSaleAt(server, 'requested'), await aSaleAt(server, 'requested')]
  for (const sent of [
    readBuyer({ ...sale, buyer: other.buyer }),
    readSeller({ ...sale, seller: other.seller }),
    sale.buyer.send(calls.getProgress, { params: { ...sale.at, userId: other.seller.id } }),
    sale.buyer.send(calls.getProgress, { params: other.at }),
  ])
    expect(await statusAndCode(sent)).toEqual([404, 'NotFound'])
})

test('returns a denied request to the seller by its buyer, but not as the intended buyer’s', async () => {
  const sale = await aSaleAt(server, 'requested')
  await turnDown(sale)
  const { seller, buyer, at } = sale
  expect((await seller.send(calls.getProgress, { params: at })).status).toBe(404)
  const denied = await seller.ask(calls.getProgress, { params: at, query: { buyerId: buyer.id } })
  expect(denied.status).toBe('REJECTED')
})

// R-safe-7
test('returns 403 when a party signs for the other party', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'confirmed')
  const asBuyer = seller.send(calls.updateProgress, { body: { ...at, data: buyerSignature() } })
  const asSeller = buyer.send(calls.updateProgress, { body: { ...at, data: sellerSignature() } })
  for (const sent of [asBuyer, asSeller]) expect((await sent).status).toBe(403)
})
