import { deleteUser, getProgress } from '@keyturn/contract/deals/endpoints.ts'
import * as calls from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { aBuyer, aWholesaler } from '../../../tests/support/people.ts'
import {
  aListing,
  aRequest,
  completeSale,
  confirmBuyer,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt, aTradeForm, readTradeEvents, statusAndCode } from '../../../tests/support/trades.ts'

// A trade that is part of a purchase.

const server = await startTestServer()
const wholesaler = await aWholesaler(server, { firstName: 'Wes', lastName: 'Holt' })

async function aPurchase() {
  const buyer = await aBuyer(server)
  const trade = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler }, { message: 'Call me.' })
  const sale = { ...(await aListing(server)), buyer, trade }
  await aRequest(sale, buyer, 4_800, [trade.vin])
  return sale
}
const attached = (id: string) => server.query('select 1 from deal_trades where trade_id = $1', [id])
const available = (buyer: { id: string } & Browser, vin?: string) =>
  buyer.ask(calls.listAvailableTrades, { params: { userId: buyer.id }, query: vin ? { vin } : {} })

// R-trades-13
test('offers an attached trade only to its own request', async () => {
  const { buyer, trade, at } = await aPurchase()
  expect(await available(buyer)).toEqual([])
  expect((await available(buyer, at.vin)).map(({ _id }) => _id)).toEqual([trade._id])
  expect(await available(buyer, aTradeForm().vin)).toEqual([])
})

test('either keeps the trade and the buyer’s signature, or deletes the trade and voids the signature', async () => {
  const sale = await aPurchase()
  const { buyer, trade, at } = sale
  expect((await signAsBuyer(sale)).buyerSigned).toBe(true)
  const sent = await buyer.send(calls.deleteTrade, { params: { vin: trade.vin } })
  const stays = sent.status === 409 && sent.error.errorCode === 'DealInProgress'
  expect(stays || sent.status === 200).toBe(true)
  expect(await attached(trade._id)).toHaveLength(stays ? 1 : 0)
  expect((await buyer.ask(getProgress, { params: at })).buyerSigned).toBe(stays)
})

// R-trades-15
test('removes a deleted trade from an unsigned pending request', async () => {
  const { buyer, trade } = await aPurchase()
  await buyer.ask(calls.deleteTrade, { params: { vin: trade.vin } })
  expect(await attached(trade._id)).toEqual([])
  expect(await buyer.ask(calls.listTradesOfUser, { params: { userId: buyer.id } })).toEqual([])
})

// R-trades-15
test('rejects deleting a trade that is part of an accepted deal', async () => {
  const sale = await aPurchase()
  const { buyer, trade } = sale
  await confirmBuyer(sale)
  const sent = await buyer.send(calls.deleteTrade, { params: { vin: trade.vin } })
  expect([sent.status, sent.error.errorCode]).toEqual([409, 'DealInProgress'])
  expect(await attached(trade._id)).toHaveLength(1)
  expect((await readTradeEvents(server, trade._id)).at(-1)?.event).toBe('accept')
})

// R-trades-15, R-trades-37
test('says to its owner which request a trade is part of, and keeps a trade that was sold with it', async () => {
  const sale = await aPurchase()
  const { buyer, trade, car } = sale
  const readUse = async () =>
    (await buyer.ask(calls.listTradesOfUser, { params: { userId: buyer.id } }))[0]?.usedFor
  expect(await readUse()).toEqual({
    use: 'REQUESTED',
    sellerId: sale.seller.id,
    vin: car.vin,
    year: car.year,
    make: car.make,
    carModel: car.carModel,
    trim: car.trim,
  })
  const seen = await wholesaler.ask(calls.listTradesOfUser, { params: { userId: buyer.id } })
  expect(seen[0]).not.toHaveProperty('usedFor')
  await confirmBuyer(sale)
  expect((await readUse())?.use).toBe('PROMISED')
  await signAsSeller(sale)
  await signAsBuyer(sale)
  expect((await readUse())?.use).toBe('SIGNED')
  await completeSale(server, sale)
  expect((await readUse())?.use).toBe('SOLD')
  expect(await statusAndCode(buyer.send(calls.deleteTrade, { params: { vin: trade.vin } }))).toEqual([
    409,
    'TradeSold',
  ])
  expect(await available(buyer)).toEqual([])

  const other = await aPurchase()
  await turnDown(other)
  const [free] = await other.buyer.ask(calls.listTradesOfUser, { params: { userId: other.buyer.id } })
  expect(free?.usedFor).toBeNull()
})

test('deletes the trades with the account', async () => {
  const { buyer, trade } = await aPurchase()
  await buyer.ask(deleteUser, { params: { userType: 'BUYER', id: buyer.id } })
  const read = wholesaler.send(calls.readTradeHistory, { params: { tradeId: trade._id } })
  expect(await statusAndCode(read)).toEqual([404, 'NotFound'])
  expect((await readTradeEvents(server, trade._id)).at(-1)?.event).toBe('delete')
})
