import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aListing, aRequest, aSaleAt, confirm, progressOf } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, mailsTo } from '../test/people.ts'

// The seller's decision about a buyer.

const house = await openHouse()

// R-safe-2
test('only the seller confirms; the buyer who tries is refused and a stranger finds nothing', async () => {
  const sale = await aSaleAt(house, 'requested')
  const accept = { ...sale.at, buyerId: sale.buyer.id, status: 'ACCEPTED' }
  expect((await sale.buyer.send(calls.decideBuyer, { body: accept })).status).toBe(403)
  expect((await (await aBuyer(house)).send(calls.decideBuyer, { body: accept })).status).toBe(404)
  expect((await progressOf(sale)).status).toBe('PENDING')
})

// R-deals-21
test('confirming refuses a price or a version that is no longer true, and shows what is', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { version } = await progressOf(sale)
  await sale.buyer.ask(calls.decideBuyer, { body: { ...sale.at, price: 8800, status: 'PENDING' } })
  const accept = { ...sale.at, status: 'ACCEPTED' }
  const stale = await sale.seller.send(calls.decideBuyer, { body: { ...accept, version } })
  expect(stale.refusal).toMatchObject({ errorCode: 'StaleVersion', current: { price: 8800 } })
  const changed = await sale.seller.send(calls.decideBuyer, { body: { ...accept, price: 9000 } })
  expect(changed.refusal).toMatchObject({ errorCode: 'PriceChanged', current: { price: 8800 } })
  const good = await sale.seller.ask(calls.decideBuyer, { body: { ...accept, price: 8800 } })
  expect(good.status).toBe('ACCEPTED')
})

// R-deals-22, R-deals-23, R-deals-52
test('one accepted buyer a car; the others wait and come back into play on release', async () => {
  const sale = await aSaleAt(house, 'requested')
  const second = await aBuyer(house)
  await aRequest(sale, second, 9300)
  await confirm(sale)
  const both = await sale.seller.send(calls.decideBuyer, {
    body: { ...sale.at, buyerId: second.id, status: 'ACCEPTED' },
  })
  expect(both.refusal.errorCode).toBe('BuyerAlreadyConfirmed')
  const [theirs] = await second.ask(calls.carsOf, { params: { userId: second.id } })
  expect(theirs).toMatchObject({ status: 'PENDING', taken: true })
  const [own] = await sale.buyer.ask(calls.carsOf, { params: { userId: sale.buyer.id } })
  expect(own).toMatchObject({ status: 'ACCEPTED', taken: false })
  expect((await mailsTo(house, second.email))[0]?.subject).toContain('pending with another buyer')
  await sale.seller.ask(calls.decideBuyer, {
    body: { ...sale.at, buyerId: sale.buyer.id, status: 'REJECTED', message: 'Sorry!' },
  })
  const [released] = await sale.buyer.ask(calls.carsOf, { params: { userId: sale.buyer.id } })
  expect(released).toMatchObject({ status: 'REJECTED', message: 'Sorry!', taken: false })
  const now = await sale.seller.ask(calls.decideBuyer, {
    body: { ...sale.at, buyerId: second.id, status: 'ACCEPTED' },
  })
  expect(now).toMatchObject({ status: 'ACCEPTED', buyerId: second.id })
})

// R-safe-2
test('who has only begun the wizard is nobody to confirm or to turn down, and nothing of it is told', async () => {
  const sale = await aSaleAt(house, 'started')
  for (const status of ['ACCEPTED', 'REJECTED']) {
    const body = { ...sale.at, buyerId: sale.buyer.id, status }
    const sent = await sale.seller.send(calls.decideBuyer, { body })
    expect([sent.status, sent.refusal.errorCode, sent.refusal.current]).toEqual([404, 'NotFound', undefined])
  }
})

// R-deals-21
test('confirming without a buyer says so', async () => {
  const { seller, at } = await aListing(house)
  const sent = await seller.send(calls.decideBuyer, { body: { ...at, status: 'ACCEPTED' } })
  expect([sent.status, sent.refusal.message]).toEqual([409, 'No buyer information available'])
})
