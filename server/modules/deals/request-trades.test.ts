import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { availableTrades, deleteTrade, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { digestOf } from '../../../tests/support/digest.ts'
import { aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import * as moves from '../../../tests/support/sales/deal-moves.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  complete,
  confirm,
  goBack,
  offer,
  progressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  step,
  trySteps,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, codeOf, move } from '../../../tests/support/trades.ts'

// A buyer's trades: what they have checked, what their request holds, and where a trade is free again.

const server = await startTestServer()
const wholesaler = await aWholesaler(server)
const anAcceptedTrade = (owner: TestPerson) => aTradeAt('ACCEPTED', { owner, wholesaler })

async function aSaleWithTrade(): Promise<Sale & { trade: Trade }> {
  const sale = await aSaleAt(server, 'started')
  const trade = await anAcceptedTrade(sale.buyer)
  await aRequest(sale, sale.buyer, 9000, [trade.vin])
  return { ...sale, trade }
}
/** Each of these stages in its turn, with the answers at the first. */
async function walk({ buyer, at }: Pick<Sale, 'buyer' | 'at'>, targets: number[], answers: object = {}) {
  let there = await step(buyer, at, { step: targets.slice(0, 1), ...answers })
  for (const target of targets.slice(1)) there = await step(buyer, at, { step: [target] })
  return there
}
const withTrade = { hasTrade: true }
const withoutTrade = { hasTrade: false, tradeVins: [] }
const freeOf = async (buyer: TestPerson) =>
  (await buyer.ask(availableTrades, { params: { userId: buyer.id } })).map(({ vin }) => vin)
const eventsOf = async (sale: Sale) => (await moves.timelineOf(sale)).map(({ event }) => event)
const asSellerReads = ({ seller, at, buyer }: Sale) =>
  seller.ask(calls.getProgress, { params: at, query: { buyerId: buyer.id } })

test('a buyer who was confirmed while they thought of a trade stands where they sign', async () => {
  const sale = await aSaleAt(server, 'requested')
  await goBack(sale, 5, 3, 0)
  await aTrade(sale.buyer)
  const waiting = await walk(sale, [1, 2, 3], withTrade)
  expect(waiting).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: true })
  await confirm(sale)
  const stands = { activeBuyerStep: 6, buyerStep6: true, ...withoutTrade, pendingTradeInApproval: false }
  expect(await progressOf(sale)).toMatchObject(stands)
  await signAsSeller(sale)
  expect((await signAsBuyer(sale)).fullySigned).toBe(true)
})

test('a draft without the trade is the buyer’s own: the seller reads, confirms and passes on the request', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await goBack(sale, 5, 3)
  const draft = await walk(sale, [3], withoutTrade)
  expect(draft).toMatchObject({ ...withoutTrade, requestTradeVins: [trade.vin] })
  const asked = { hasTrade: true, tradeVins: [trade.vin], requestTradeVins: [trade.vin] }
  expect(await asSellerReads(sale)).toMatchObject(asked)
  await confirm(sale)
  expect(await asSellerReads(sale)).toMatchObject(asked)
  expect(await progressOf(sale)).toMatchObject(asked)
  await signAsSeller(sale)
  const { pkgId } = await signAsBuyer(sale)
  const pkg = await sale.seller.ask(calls.finalPackage, { params: { pkgId: pkgId ?? '' } })
  expect(pkg.trades.map(({ vin }) => vin)).toEqual([trade.vin])
})

test('who goes on to sign, or sets another price, does so for the request as it stands', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const asked = { activeBuyerStep: 6, hasTrade: true, tradeVins: [trade.vin], requestTradeVins: [trade.vin] }
  const doWithout = async () => {
    await goBack(sale, 5, 3)
    await walk(sale, [3], withoutTrade)
  }
  await doWithout()
  expect(await walk(sale, [5, 6])).toMatchObject(asked)
  await doWithout()
  await offer(sale, 8900)
  expect(await progressOf(sale)).toMatchObject(asked)
  await doWithout()
  expect(await signAsBuyer(sale)).toMatchObject({ ...asked, activeBuyerStep: 7 })
})

test('once the request stands, a confirmed or signed buyer’s answers about trades change nothing', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const kept = async () => {
    await step(sale.buyer, sale.at, { step: [], ...withoutTrade })
    const [row] = await server.query(
      `select has_trade, chosen_trade_vins, (select count(*)::int from deal_trades where deal_id = deals.id) as held
       from deals where buyer_id = $1`,
      [sale.buyer.id],
    )
    expect(row).toEqual({ has_trade: true, chosen_trade_vins: [trade.vin], held: 1 })
  }
  await signAsBuyer(sale)
  await kept()
  await offer(sale, 8900)
  await confirm(sale)
  await kept()
})

// R-deals-12
test('an offer that is accepted meanwhile leads back to choosing the trade, from wherever the buyer waits', async () => {
  const sale = await aSaleAt(server, 'started')
  const { buyer, at } = sale
  const trade = await aTradeAt('OFFERED', { owner: buyer, wholesaler })
  // On its way, it may be waited for without being sent once more from here.
  const waiting = await walk(sale, [1, 3], withTrade)
  expect(waiting).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: true })
  await move(buyer, trade, { status: 'ACCEPTED' })
  // Another one that still waits holds up nothing.
  await aTrade(buyer)
  const there = { activeBuyerStep: 1, buyerStep3: true, hasTrade: true, pendingTradeInApproval: false }
  expect(await progressOf(sale)).toMatchObject(there)
  const chosen = await step(buyer, at, { step: [3], tradeVins: [trade.vin] })
  expect(chosen).toMatchObject({ activeBuyerStep: 3, tradeVins: [trade.vin] })
  expect((await step(buyer, at, { step: [5], needsFinancing: false })).activeBuyerStep).toBe(5)
})

// R-deals-12
test('a trade that was given up leaves the request where it is, until another one is accepted', async () => {
  const sale = await aSaleAt(server, 'started')
  await walk(sale, [1, 2, 3, 5], { ...withTrade, needsFinancing: false })
  expect((await progressOf(sale)).activeBuyerStep).toBe(5)
  await anAcceptedTrade(sale.buyer)
  expect((await progressOf(sale)).activeBuyerStep).toBe(1)
  expect((await walk(sale, [3], withoutTrade)).activeBuyerStep).toBe(3)
})

// R-trades-32
test('the car being bought is no trade for it: it is not offered, and nobody waits for it', async () => {
  const sale = await aSaleAt(server, 'started')
  const { buyer, at, car } = sale
  const same = await aTradeAt('OFFERED', { owner: buyer, wholesaler }, { vin: car.vin })
  await walk(sale, [1], withTrade)
  expect(await codeOf(trySteps(buyer, at, { step: [3] }))).toEqual([409, 'StageNotReachable'])
  expect(await walk(sale, [2, 3])).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: false })
  await move(buyer, same, { status: 'ACCEPTED' })
  expect((await progressOf(sale)).activeBuyerStep).toBe(3)
  const offered = await buyer.ask(availableTrades, { params: { userId: buyer.id }, query: { vin: car.vin } })
  expect([offered, await freeOf(buyer)]).toEqual([[], [car.vin]])
  const chosen = trySteps(buyer, at, { step: [3], tradeVins: [car.vin] })
  expect(await codeOf(chosen)).toEqual([409, 'TradeUnavailable'])
})

test('nobody waits for a trade of somebody else’s, a rejected or a deleted one, and none of these ends a wait', async () => {
  const sale = await aSaleAt(server, 'started')
  const { buyer } = sale
  const { buyer: stranger } = await aSaleAt(server, 'started')
  for (const theirs of [aTrade, anAcceptedTrade]) await theirs(stranger)
  await aTradeAt('REJECTED', { owner: buyer, wholesaler })
  for (const gone of [await aTrade(buyer), await anAcceptedTrade(buyer)])
    await buyer.ask(deleteTrade, { params: { vin: gone.vin } })
  expect((await walk(sale, [1, 2, 3], withTrade)).pendingTradeInApproval).toBe(false)
  await aTrade(buyer)
  expect((await progressOf(sale)).pendingTradeInApproval).toBe(true)
})

test('the trade that one’s own request holds may be chosen for it again', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await goBack(sale, 5, 3)
  const unchecked = await step(sale.buyer, sale.at, { step: [], hasTrade: true, tradeVins: [] })
  expect(unchecked.activeBuyerStep).toBe(1)
  const chosen = await walk(sale, [3], { tradeVins: [trade.vin] })
  expect(chosen).toMatchObject({ activeBuyerStep: 3, tradeVins: [trade.vin] })
})

test('an accepted trade that another purchase holds ends no wait', async () => {
  const { buyer } = await aSaleWithTrade()
  const { at } = await aListing(server)
  await buyer.ask(calls.startProgress, { body: at })
  await aTrade(buyer)
  expect((await walk({ buyer, at }, [1, 2, 3], withTrade)).pendingTradeInApproval).toBe(true)
})

// R-deals-54
test('a request repeated unchanged on an old version answers 200 and is news to nobody, also once it is confirmed', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const told = async () => (await sale.seller.ask(listNotifications, { query: {} })).length
  const before = [await eventsOf(sale), await told()]
  const { version } = await progressOf(sale)
  const repeat = () => moves.tryToRequest(sale, 9000, { trades: [trade.vin], version: version - 1 })
  for (const act of [repeat, () => offer(sale, 9000)]) {
    // Only the buyer is back where they sign.
    await goBack(sale, 5)
    await act()
    expect((await progressOf(sale)).activeBuyerStep).toBe(6)
  }
  expect([await eventsOf(sale), await told()]).toEqual(before)
  await confirm(sale)
  await signAsSeller(sale)
  const digest = await digestOf(server)
  const again = await repeat()
  expect([again.status, again.answer]).toMatchObject([200, { status: 'ACCEPTED', price: 900_000 }])
  expect(await digestOf(server)).toEqual(digest)
  const other = moves.tryToRequest(sale, 8000, { trades: [trade.vin] })
  expect(await codeOf(other)).toEqual([409, 'InvalidTransition'])
})

test('a change of trades is told as that, old and new, and not as one of the price', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const other = await aTradeAt('ACCEPTED', { owner: sale.buyer, wholesaler }, { carModel: 'Ranger' })
  await signAsBuyer(sale)
  await moves.tryToRequest(sale, 9000, { trades: [other.vin] })
  const [changed] = await moves.timelineOf(sale)
  const fromTo = { from: '2013 Ford F-150 XLT', to: '2013 Ford Ranger XLT' }
  expect(changed).toMatchObject({ event: 'tradesChanged', ...fromTo })
  expect((await progressOf(sale)).buyerSigned).toBe(false)
  expect(await eventsOf(sale)).not.toContain('repriced')
  await moves.tryToRequest(sale, 8800, { trades: [other.vin, trade.vin] })
  expect((await eventsOf(sale)).slice(0, 2)).toEqual(['tradesChanged', 'repriced'])
  await moves.tryToRequest(sale, 8700, { trades: [other.vin, trade.vin] })
  const [repriced] = await moves.timelineOf(sale)
  expect(repriced).toMatchObject({ event: 'repriced', from: '$8,800', to: '$8,700' })
})

// R-trades-13
test('a trade that is promised already is named, with the other car', async () => {
  const { trade, buyer } = await aSaleWithTrade()
  const other = { ...(await aListing(server, { carModel: 'Civic' })), buyer }
  const named =
    'Your 2013 Ford F-150 XLT is already part of your request for the 2003 Honda Accord EX. A trade serves one purchase at a time.'
  await aRequest(other, buyer, 9000)
  await goBack(other, 5, 3, 0)
  await walk(other, [1], withTrade)
  const chosen = await trySteps(buyer, other.at, { step: [3], tradeVins: [trade.vin] })
  await goBack(other, 0)
  await walk(other, [3, 5], { hasTrade: false })
  const late = await moves.tryToRequest(other, 9000, { trades: [trade.vin] })
  for (const { refusal } of [chosen, late])
    expect([refusal.errorCode, refusal.message]).toEqual(['TradeUnavailable', named])
})

const waysOut: [name: string, leave: (sale: Sale) => Promise<unknown>][] = [
  ['the seller denies the request', turnDown],
  ['the seller releases the confirmed buyer', (sale) => confirm(sale).then(() => turnDown(sale))],
  ['the buyer withdraws', moves.withdraw],
  ['the seller takes the listing down', moves.removeListing],
  ['the seller deletes the account', ({ seller }) => moves.deleteAccount(seller, 'SELLER')],
  ['the car is sold to another buyer', sellToAnother],
]
async function sellToAnother(sale: Sale) {
  const another = await moves.anotherRequest(server, sale)
  for (const act of [confirm, signAsSeller, signAsBuyer]) await act(another)
  await complete(server, another)
}

// R-trades-14
test.each(waysOut)('a trade is free again when %s', async (_, leave) => {
  const { trade, ...sale } = await aSaleWithTrade()
  await leave(sale)
  expect(await freeOf(sale.buyer)).toEqual([trade.vin])
  const again = await aRequest(await aListing(server), sale.buyer, 9000, [trade.vin])
  expect(again.status).toBe('PENDING')
})

// R-deals-18
test('another price brings a denied request back, and its trade with it', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await turnDown(sale)
  await offer(sale, 8800)
  expect(await freeOf(sale.buyer)).toEqual([])
  const [request] = await moves.requestsOn(sale)
  expect(request?.trades.map(({ vin }) => vin)).toEqual([trade.vin])
})

test('a trade that was taken out of the request by its deletion does not come back', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await sale.buyer.ask(deleteTrade, { params: { vin: trade.vin } })
  await offer(sale, 8800)
  expect(await asSellerReads(sale)).toMatchObject(withoutTrade)
})

// R-safe-3, R-deals-16
test('a trade that is not accepted goes into no request', async () => {
  const sale = await aSaleAt(server, 'requested')
  for (const status of tradeStatuses.filter((one) => one !== 'ACCEPTED')) {
    const { vin, _id } = await aTradeAt(status, { owner: sale.buyer, wholesaler })
    const sent = moves.tryToRequest(sale, 9100, { trades: [vin] })
    expect([status, await codeOf(sent)]).toEqual([status, [409, 'TradeUnavailable']])
    expect(await server.query('select from deal_trades where trade_id = $1', [_id])).toEqual([])
  }
})
