import * as endpoints from '@keyturn/contract/agreements/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { deleteTrade, listAvailableTrades, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { aWholesaler, type TestPerson } from '../../../../tests/support/people.ts'
import * as moves from '../../../../tests/support/sales/deal-moves.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  completeSale,
  confirmBuyer,
  goBack,
  offerPrice,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  step,
  tryToUpdateProgress,
  turnDown,
} from '../../../../tests/support/sales/deals.ts'
import { digestTables } from '../../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, sendTradeMove, statusAndCode } from '../../../../tests/support/trades.ts'

const server = await startTestServer()
const wholesaler = await aWholesaler(server)
const anAcceptedTrade = (owner: TestPerson) => aTradeAt('ACCEPTED', { owner, wholesaler })

async function aSaleWithTrade(): Promise<Sale & { trade: Trade }> {
  const sale = await aSaleAt(server, 'started')
  const trade = await anAcceptedTrade(sale.buyer)
  await aRequest(sale, sale.buyer, 9000, [trade.vin])
  return { ...sale, trade }
}
/** Goes to each of these stages in turn, with the answers at the first. */
async function goThrough({ buyer, at }: Pick<Sale, 'buyer' | 'at'>, targets: number[], answers: object = {}) {
  let progress = await step(buyer, at, { step: targets.slice(0, 1), ...answers })
  for (const target of targets.slice(1)) progress = await step(buyer, at, { step: [target] })
  return progress
}
const withTrade = { hasTrade: true }
const withoutTrade = { hasTrade: false, tradeVins: [] }
const availableTo = async (buyer: TestPerson) =>
  (await buyer.ask(listAvailableTrades, { params: { userId: buyer.id } })).map(({ vin }) => vin)
const eventsOf = async (sale: Sale) => (await moves.readTimelineOf(sale)).map(({ event }) => event)
const sellersView = ({ seller, at, buyer }: Sale) =>
  seller.ask(calls.getProgress, { params: at, query: { buyerId: buyer.id } })

test('moves a buyer who is confirmed while choosing a trade to the signing stage', async () => {
  const sale = await aSaleAt(server, 'requested')
  await goBack(sale, 5, 3, 0)
  await aTrade(sale.buyer)
  const waiting = await goThrough(sale, [1, 2, 3], withTrade)
  expect(waiting).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: true })
  await confirmBuyer(sale)
  const expected = { activeBuyerStep: 6, buyerStep6: true, ...withoutTrade, pendingTradeInApproval: false }
  expect(await readProgressOf(sale)).toMatchObject(expected)
  await signAsSeller(sale)
  expect((await signAsBuyer(sale)).fullySigned).toBe(true)
})

test('hides the buyer’s draft from the seller, who confirms the request as it was made', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await goBack(sale, 5, 3)
  const draft = await goThrough(sale, [3], withoutTrade)
  expect(draft).toMatchObject({ ...withoutTrade, requestTradeVins: [trade.vin] })
  const asked = { hasTrade: true, tradeVins: [trade.vin], requestTradeVins: [trade.vin] }
  expect(await sellersView(sale)).toMatchObject(asked)
  await confirmBuyer(sale)
  expect(await sellersView(sale)).toMatchObject(asked)
  expect(await readProgressOf(sale)).toMatchObject(asked)
  await signAsSeller(sale)
  const { pkgId } = await signAsBuyer(sale)
  const pkg = await sale.seller.ask(endpoints.readPackage, { params: { pkgId: pkgId ?? '' } })
  expect(pkg.trades.map(({ vin }) => vin)).toEqual([trade.vin])
})

// R-trades-38
test('names the trade-ins in the request that still have a loan, and hides the note to wholesalers', async () => {
  const sale = await aSaleAt(server, 'started')
  const people = { owner: sale.buyer, wholesaler }
  const owed = await aTradeAt('ACCEPTED', people, { payoff: true, message: 'Please call after six' })
  const cleared = await aTradeAt('ACCEPTED', people)
  await aRequest(sale, sale.buyer, 30_000, [owed.vin, cleared.vin])
  expect(await readProgressOf(sale)).toMatchObject({ owedTradeVins: [owed.vin] })
  expect(await sellersView(sale)).toMatchObject({ owedTradeVins: [owed.vin] })
  const { body } = await sale.seller.send(calls.listRequests, { params: { carId: sale.car._id } })
  expect(body).toContain(owed.vin)
  expect(body).not.toContain('after six')
  expect((await readProgressOf(await aSaleAt(server, 'requested'))).owedTradeVins).toEqual([])
})

test('discards the draft when the buyer signs or changes the price', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const asked = { activeBuyerStep: 6, hasTrade: true, tradeVins: [trade.vin], requestTradeVins: [trade.vin] }
  const draftWithoutTrade = async () => {
    await goBack(sale, 5, 3)
    await goThrough(sale, [3], withoutTrade)
  }
  await draftWithoutTrade()
  expect(await goThrough(sale, [5, 6])).toMatchObject(asked)
  await draftWithoutTrade()
  await offerPrice(sale, 8900)
  expect(await readProgressOf(sale)).toMatchObject(asked)
  await draftWithoutTrade()
  expect(await signAsBuyer(sale)).toMatchObject({ ...asked, activeBuyerStep: 7 })
})

test('ignores answers about trades from a buyer who has signed or is confirmed', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const expectUnchanged = async () => {
    await step(sale.buyer, sale.at, { step: [], ...withoutTrade })
    const [row] = await server.query(
      `select has_trade, chosen_trade_vins, (select count(*)::int from deal_trades where deal_id = deals.id) as held
       from deals where buyer_id = $1`,
      [sale.buyer.id],
    )
    expect(row).toEqual({ has_trade: true, chosen_trade_vins: [trade.vin], held: 1 })
  }
  await signAsBuyer(sale)
  await expectUnchanged()
  await offerPrice(sale, 8900)
  await confirmBuyer(sale)
  await expectUnchanged()
})

// R-deals-12
test('returns a waiting buyer to the selection of trades when an offer is accepted', async () => {
  const sale = await aSaleAt(server, 'started')
  const { buyer, at } = sale
  const trade = await aTradeAt('OFFERED', { owner: buyer, wholesaler })
  // A buyer may wait for a trade that was submitted elsewhere.
  const waiting = await goThrough(sale, [1, 3], withTrade)
  expect(waiting).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: true })
  await sendTradeMove(buyer, trade, { status: 'ACCEPTED' })
  // Another trade that is still pending does not hold the purchase up.
  await aTrade(buyer)
  const expected = { activeBuyerStep: 1, buyerStep3: true, hasTrade: true, pendingTradeInApproval: false }
  expect(await readProgressOf(sale)).toMatchObject(expected)
  const chosen = await step(buyer, at, { step: [3], tradeVins: [trade.vin] })
  expect(chosen).toMatchObject({ activeBuyerStep: 3, tradeVins: [trade.vin] })
  expect((await step(buyer, at, { step: [5], needsFinancing: false })).activeBuyerStep).toBe(5)
})

// R-deals-12
test('keeps a buyer without a trade at the request form until one is accepted', async () => {
  const sale = await aSaleAt(server, 'started')
  await goThrough(sale, [1, 2, 3, 5], { ...withTrade, needsFinancing: false })
  expect((await readProgressOf(sale)).activeBuyerStep).toBe(5)
  await anAcceptedTrade(sale.buyer)
  expect((await readProgressOf(sale)).activeBuyerStep).toBe(1)
  expect((await goThrough(sale, [3], withoutTrade)).activeBuyerStep).toBe(3)
})

// R-trades-32
test('neither offers nor waits for a trade with the car that is being bought', async () => {
  const sale = await aSaleAt(server, 'started')
  const { buyer, at, car } = sale
  const same = await aTradeAt('OFFERED', { owner: buyer, wholesaler }, { vin: car.vin })
  await goThrough(sale, [1], withTrade)
  expect(await statusAndCode(tryToUpdateProgress(buyer, at, { step: [3] }))).toEqual([
    409,
    'StageNotReachable',
  ])
  expect(await goThrough(sale, [2, 3])).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: false })
  await sendTradeMove(buyer, same, { status: 'ACCEPTED' })
  expect((await readProgressOf(sale)).activeBuyerStep).toBe(3)
  const offered = await buyer.ask(listAvailableTrades, {
    params: { userId: buyer.id },
    query: { vin: car.vin },
  })
  expect([offered, await availableTo(buyer)]).toEqual([[], [car.vin]])
  const chosen = tryToUpdateProgress(buyer, at, { step: [3], tradeVins: [car.vin] })
  expect(await statusAndCode(chosen)).toEqual([409, 'TradeUnavailable'])
})

test('waits only for the buyer’s own pending trade, not for a rejected, deleted or other person’s one', async () => {
  const sale = await aSaleAt(server, 'started')
  const { buyer } = sale
  const { buyer: stranger } = await aSaleAt(server, 'started')
  for (const theirs of [aTrade, anAcceptedTrade]) await theirs(stranger)
  await aTradeAt('REJECTED', { owner: buyer, wholesaler })
  for (const deleted of [await aTrade(buyer), await anAcceptedTrade(buyer)])
    await buyer.ask(deleteTrade, { params: { vin: deleted.vin } })
  expect((await goThrough(sale, [1, 2, 3], withTrade)).pendingTradeInApproval).toBe(false)
  await aTrade(buyer)
  expect((await readProgressOf(sale)).pendingTradeInApproval).toBe(true)
})

test('lets the buyer choose the trade of the current request again', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await goBack(sale, 5, 3)
  const unchecked = await step(sale.buyer, sale.at, { step: [], hasTrade: true, tradeVins: [] })
  expect(unchecked.activeBuyerStep).toBe(1)
  const chosen = await goThrough(sale, [3], { tradeVins: [trade.vin] })
  expect(chosen).toMatchObject({ activeBuyerStep: 3, tradeVins: [trade.vin] })
})

test('keeps waiting when the only accepted trade is part of another purchase', async () => {
  const { buyer } = await aSaleWithTrade()
  const { at } = await aListing(server)
  await buyer.ask(calls.startProgress, { body: at })
  await aTrade(buyer)
  expect((await goThrough({ buyer, at }, [1, 2, 3], withTrade)).pendingTradeInApproval).toBe(true)
})

// R-deals-54
test('returns 200 and notifies nobody when an unchanged request is repeated with an old version', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const countNotifications = async () => (await sale.seller.ask(listNotifications, { query: {} })).length
  const before = [await eventsOf(sale), await countNotifications()]
  const { version } = await readProgressOf(sale)
  const repeat = () => moves.tryToRequest(sale, 9000, { trades: [trade.vin], version: version - 1 })
  for (const act of [repeat, () => offerPrice(sale, 9000)]) {
    // A repeated request only moves the buyer back to the signing stage.
    await goBack(sale, 5)
    await act()
    expect((await readProgressOf(sale)).activeBuyerStep).toBe(6)
  }
  expect([await eventsOf(sale), await countNotifications()]).toEqual(before)
  await confirmBuyer(sale)
  await signAsSeller(sale)
  const digest = await digestTables(server)
  const again = await repeat()
  expect([again.status, again.answer]).toMatchObject([200, { status: 'ACCEPTED', price: 900_000 }])
  expect(await digestTables(server)).toEqual(digest)
  const other = moves.tryToRequest(sale, 8000, { trades: [trade.vin] })
  expect(await statusAndCode(other)).toEqual([409, 'InvalidTransition'])
})

test('records the old and the new trades of a change, separately from a change of the price', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const other = await aTradeAt('ACCEPTED', { owner: sale.buyer, wholesaler }, { carModel: 'Ranger' })
  await signAsBuyer(sale)
  await moves.tryToRequest(sale, 9000, { trades: [other.vin] })
  const [changed] = await moves.readTimelineOf(sale)
  const fromTo = { from: '2013 Ford F-150 XLT', to: '2013 Ford Ranger XLT' }
  expect(changed).toMatchObject({ event: 'tradesChanged', ...fromTo })
  expect((await readProgressOf(sale)).buyerSigned).toBe(false)
  expect(await eventsOf(sale)).not.toContain('repriced')
  await moves.tryToRequest(sale, 8800, { trades: [other.vin, trade.vin] })
  expect((await eventsOf(sale)).slice(0, 2)).toEqual(['tradesChanged', 'repriced'])
  await moves.tryToRequest(sale, 8700, { trades: [other.vin, trade.vin] })
  const [repriced] = await moves.readTimelineOf(sale)
  expect(repriced).toMatchObject({ event: 'repriced', from: '$8,800', to: '$8,700' })
})

// R-trades-13
test('names the trade and the other car when the trade is already promised', async () => {
  const { trade, buyer } = await aSaleWithTrade()
  const other = { ...(await aListing(server, { carModel: 'Civic' })), buyer }
  const sentence =
    'Your 2013 Ford F-150 XLT is already part of your request for the 2003 Honda Accord EX. A trade can be used for one purchase at a time.'
  await aRequest(other, buyer, 9000)
  await goBack(other, 5, 3, 0)
  await goThrough(other, [1], withTrade)
  const chosen = await tryToUpdateProgress(buyer, other.at, { step: [3], tradeVins: [trade.vin] })
  await goBack(other, 0)
  await goThrough(other, [3, 5], { hasTrade: false })
  const late = await moves.tryToRequest(other, 9000, { trades: [trade.vin] })
  for (const { error } of [chosen, late])
    expect([error.errorCode, error.message]).toEqual(['TradeUnavailable', sentence])
})

const endings: [name: string, end: (sale: Sale) => Promise<unknown>][] = [
  ['the seller denies the request', turnDown],
  ['the seller releases the confirmed buyer', (sale) => confirmBuyer(sale).then(() => turnDown(sale))],
  ['the buyer withdraws', moves.withdraw],
  ['the seller takes the listing down', moves.removeListing],
  ['the seller deletes the account', ({ seller }) => moves.deleteAccount(seller, 'SELLER')],
  ['the car is sold to another buyer', sellToAnother],
]
async function sellToAnother(sale: Sale) {
  const another = await moves.anotherRequest(server, sale)
  for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(another)
  await completeSale(server, another)
}

// R-trades-14
test.each(endings)('makes the trade available again when %s', async (_, end) => {
  const { trade, ...sale } = await aSaleWithTrade()
  await end(sale)
  expect(await availableTo(sale.buyer)).toEqual([trade.vin])
  const again = await aRequest(await aListing(server), sale.buyer, 9000, [trade.vin])
  expect(again.status).toBe('PENDING')
})

// R-deals-18
test('restores a denied request with its trade when the buyer offers a new price', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await turnDown(sale)
  await offerPrice(sale, 8800)
  expect(await availableTo(sale.buyer)).toEqual([])
  const [request] = await moves.listRequestsOn(sale)
  expect(request?.trades.map(({ vin }) => vin)).toEqual([trade.vin])
})

test('does not restore a trade that left the request because it was deleted', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await sale.buyer.ask(deleteTrade, { params: { vin: trade.vin } })
  await offerPrice(sale, 8800)
  expect(await sellersView(sale)).toMatchObject(withoutTrade)
})

// R-safe-3, R-deals-16
test('rejects a request with a trade that is not accepted', async () => {
  const sale = await aSaleAt(server, 'requested')
  for (const status of tradeStatuses.filter((one) => one !== 'ACCEPTED')) {
    const { vin, _id } = await aTradeAt(status, { owner: sale.buyer, wholesaler })
    const sent = moves.tryToRequest(sale, 9100, { trades: [vin] })
    expect([status, await statusAndCode(sent)]).toEqual([status, [409, 'TradeUnavailable']])
    expect(await server.query('select from deal_trades where trade_id = $1', [_id])).toEqual([])
  }
})
