import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { readEmailsTo, type TestPerson } from '../../../tests/support/people.ts'
import { anotherRequest, listCarsOf } from '../../../tests/support/sales/deal-moves.ts'
import {
  aListing,
  aSaleAt,
  confirmBuyer,
  offerPrice,
  readProgressOf,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../tests/support/trades.ts'

const server = await startTestServer()
const decide = (by: TestPerson, body: object) => by.send(calls.decideRequest, { body })

// R-safe-2
test('rejects a decision by anyone but the seller, and one about a buyer without a request', async () => {
  const requested = await aSaleAt(server, 'requested')
  const accept = { ...requested.at, buyerId: requested.buyer.id, status: 'ACCEPTED' }
  expect((await decide(requested.buyer, accept)).status).toBe(403)
  expect((await readProgressOf(requested)).status).toBe('PENDING')
  const { seller, buyer, at } = await aSaleAt(server, 'started')
  for (const status of ['ACCEPTED', 'REJECTED']) {
    const sent = await decide(seller, { ...at, buyerId: buyer.id, status })
    expect([sent.status, sent.error.errorCode, sent.error.current]).toEqual([404, 'NotFound', undefined])
  }
})

// R-deals-21
test('returns 409 with the current deal when the confirmed price or version is stale', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { version } = await readProgressOf(sale)
  await offerPrice(sale, 8800)
  const accept = { ...sale.at, status: 'ACCEPTED' }
  for (const [read, errorCode] of [
    [{ version }, 'StaleVersion'],
    [{ price: 9000 }, 'PriceChanged'],
  ] as const)
    expect((await decide(sale.seller, { ...accept, ...read })).error).toMatchObject({
      errorCode,
      current: { price: 8800 },
    })
  expect((await decide(sale.seller, { ...accept, price: 8800 })).answer.status).toBe('ACCEPTED')
})

// R-deals-22, R-deals-23, R-deals-52
test('confirms one buyer per car, and another one after the release', async () => {
  const sale = await aSaleAt(server, 'requested')
  const second = await anotherRequest(server, sale)
  await confirmBuyer(sale)
  const both = decide(sale.seller, { ...sale.at, buyerId: second.buyer.id, status: 'ACCEPTED' })
  expect(await statusAndCode(both)).toEqual([409, 'BuyerAlreadyConfirmed'])
  expect(await listCarsOf(second.buyer)).toMatchObject([{ status: 'PENDING', taken: true }])
  expect(await listCarsOf(sale.buyer)).toMatchObject([{ status: 'ACCEPTED', taken: false }])
  expect((await readEmailsTo(server, second.buyer.email))[0]?.subject).toContain('pending with another buyer')
  const release = { buyerId: sale.buyer.id, status: 'REJECTED', message: 'Sorry!' }
  await decide(sale.seller, { ...sale.at, ...release })
  expect(await listCarsOf(sale.buyer)).toMatchObject([
    { status: 'REJECTED', message: 'Sorry!', taken: false },
  ])
  expect(await confirmBuyer(second)).toMatchObject({ status: 'ACCEPTED', buyerId: second.buyer.id })
})

// R-deals-21
test('returns 409 when there is no buyer to confirm', async () => {
  const { seller, at } = await aListing(server)
  const sent = await decide(seller, { ...at, status: 'ACCEPTED' })
  expect([sent.status, sent.error.message]).toEqual([409, 'No buyer information available'])
})
