import * as calls from '@keyturn/contract/deals/calls.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { availableTrades, deleteTrade, type Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
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
} from '../test/deals.ts'
import { digestOf } from '../test/digest.ts'
import { openHouse } from '../test/house.ts'
import { aWholesaler, type TestPerson } from '../test/people.ts'
import { aTrade, aTradeAt, move } from '../test/trades.ts'

// A buyer's trades: what they have checked, what their request holds, and where a trade is free again.

const house = await openHouse()
const wholesaler = await aWholesaler(house)
async function anOfferedTrade(owner: TestPerson) {
  const trade = await aTradeAt('OFFERED', { owner, wholesaler })
  return { trade, accept: () => move(owner, trade, { status: 'ACCEPTED' }) }
}
const anAcceptedTrade = (owner: TestPerson) => aTradeAt('ACCEPTED', { owner, wholesaler })

async function aSaleWithTrade(): Promise<Sale & { trade: Trade }> {
  const sale = await aSaleAt(house, 'started')
  const trade = await anAcceptedTrade(sale.buyer)
  await aRequest(sale, sale.buyer, 9000, [trade.vin])
  return { ...sale, trade }
}
const freeOf = async (buyer: TestPerson) =>
  (await buyer.ask(availableTrades, { params: { userId: buyer.id } })).map(({ vin }) => vin)
const eventsOf = async ({ buyer, at }: Sale) =>
  (await buyer.ask(calls.timeline, { params: at })).map(({ event }) => event)
const asSellerReads = ({ seller, at, buyer }: Sale) =>
  seller.ask(calls.getProgress, { params: at, query: { buyerId: buyer.id } })

test('a buyer who was confirmed while they thought of a trade stands where they sign', async () => {
  const sale = await aSaleAt(house, 'requested')
  await goBack(sale, 5, 3, 0)
  await step(sale.buyer, sale.at, { step: [0, 1], hasTrade: true })
  await aTrade(sale.buyer)
  await step(sale.buyer, sale.at, { step: [0, 1, 2] })
  const waiting = await step(sale.buyer, sale.at, { step: [0, 1, 2, 3] })
  expect(waiting).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: true })
  await confirm(sale)
  expect(await progressOf(sale)).toMatchObject({
    activeBuyerStep: 6,
    buyerStep6: true,
    hasTrade: false,
    tradeVins: [],
    pendingTradeInApproval: false,
  })
  await signAsSeller(sale)
  expect((await signAsBuyer(sale)).fullySigned).toBe(true)
})

test('a confirmed buyer who looks back reaches the signature from every stage', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await confirm(sale)
  for (const way of [[5], [5, 3], [5, 3, 1], [5, 3, 1, 0]]) {
    await goBack(sale, ...way)
    const there = await step(sale.buyer, sale.at, { step: [0, 1, 2, 3, 4, 5, 6] })
    expect(there).toMatchObject({ activeBuyerStep: 6, hasTrade: true, tradeVins: [trade.vin] })
  }
})

test('a draft without the trade is the buyer’s own: the seller reads, confirms and passes on the request', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await goBack(sale, 5, 3)
  const draft = await step(sale.buyer, sale.at, { step: [0, 1, 2, 3], hasTrade: false, tradeVins: [] })
  expect(draft).toMatchObject({ hasTrade: false, tradeVins: [], requestTradeVins: [trade.vin] })
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
    await step(sale.buyer, sale.at, { step: [0, 1, 2, 3], hasTrade: false, tradeVins: [] })
  }
  await doWithout()
  await step(sale.buyer, sale.at, { step: [0, 1, 2, 3, 4, 5] })
  expect(await step(sale.buyer, sale.at, { step: [0, 1, 2, 3, 4, 5, 6] })).toMatchObject(asked)
  await doWithout()
  await offer(sale, 8900)
  expect(await progressOf(sale)).toMatchObject(asked)
  await doWithout()
  await signAsBuyer(sale)
  expect(await progressOf(sale)).toMatchObject({ ...asked, activeBuyerStep: 7 })
})

test('once the request stands, a confirmed or signed buyer’s answers about trades change nothing', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const kept = async () => {
    await step(sale.buyer, sale.at, { step: [], hasTrade: false, tradeVins: [] })
    const [row] = await house.query(
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

test('an accepted trade ends the wait for another one: the buyer may go and choose it', async () => {
  const sale = await aSaleAt(house, 'started')
  const { buyer, at } = sale
  const accepted = await anAcceptedTrade(buyer)
  await aTrade(buyer)
  await step(buyer, at, { step: [0, 1], hasTrade: true })
  await step(buyer, at, { step: [0, 1, 2] })
  expect(await step(buyer, at, { step: [0, 1, 2, 3] })).toMatchObject({
    pendingTradeInApproval: false,
    activeBuyerStep: 1,
  })
  const chosen = await step(buyer, at, { step: [0, 1, 2, 3], tradeVins: [accepted.vin] })
  expect(chosen).toMatchObject({ activeBuyerStep: 3, tradeVins: [accepted.vin] })
})

// R-deals-12
test('an offer that is accepted meanwhile leads back to choosing the trade, from wherever the buyer waits', async () => {
  const sale = await aSaleAt(house, 'started')
  const { buyer, at } = sale
  const { trade, accept } = await anOfferedTrade(buyer)
  await step(buyer, at, { step: [0, 1], hasTrade: true })
  // On its way, it may be waited for without being sent once more from here.
  const waiting = await step(buyer, at, { step: [0, 1, 2, 3] })
  expect(waiting).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: true })
  await accept()
  expect(await progressOf(sale)).toMatchObject({ activeBuyerStep: 1, buyerStep3: true, hasTrade: true })
  const chosen = await step(buyer, at, { step: [0, 1, 2, 3], tradeVins: [trade.vin] })
  expect(chosen).toMatchObject({ activeBuyerStep: 3, tradeVins: [trade.vin] })
  await step(buyer, at, { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  expect((await progressOf(sale)).activeBuyerStep).toBe(5)
})

// R-deals-12
test('a trade that was given up leaves the request where it is, until another one is accepted', async () => {
  const sale = await aSaleAt(house, 'started')
  const { buyer, at } = sale
  await step(buyer, at, { step: [0, 1], hasTrade: true })
  await step(buyer, at, { step: [0, 1, 2] })
  await step(buyer, at, { step: [0, 1, 2, 3] })
  await step(buyer, at, { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  expect((await progressOf(sale)).activeBuyerStep).toBe(5)
  await anAcceptedTrade(buyer)
  expect((await progressOf(sale)).activeBuyerStep).toBe(1)
  await step(buyer, at, { step: [0, 1, 2, 3], hasTrade: false, tradeVins: [] })
  expect((await progressOf(sale)).activeBuyerStep).toBe(3)
})

// R-trades-32
test('the car being bought is no trade for it: it is not offered, and nobody waits for it', async () => {
  const sale = await aSaleAt(house, 'started')
  const { buyer, at, car } = sale
  const same = await aTradeAt('OFFERED', { owner: buyer, wholesaler }, { vin: car.vin })
  await step(buyer, at, { step: [0, 1], hasTrade: true })
  expect((await trySteps(buyer, at, { step: [0, 1, 2, 3] })).refusal.errorCode).toBe('StageNotReachable')
  await step(buyer, at, { step: [0, 1, 2] })
  const there = await step(buyer, at, { step: [0, 1, 2, 3] })
  expect(there).toMatchObject({ activeBuyerStep: 3, pendingTradeInApproval: false })
  await move(buyer, same, { status: 'ACCEPTED' })
  expect((await progressOf(sale)).activeBuyerStep).toBe(3)
  const offered = await buyer.ask(availableTrades, { params: { userId: buyer.id }, query: { vin: car.vin } })
  expect(offered).toEqual([])
  expect(await freeOf(buyer)).toEqual([car.vin])
  const chosen = await trySteps(buyer, at, { step: [0, 1, 2, 3], tradeVins: [car.vin] })
  expect(chosen.refusal.errorCode).toBe('TradeUnavailable')
})

test('nobody waits for a trade of somebody else’s, a rejected or a deleted one, and none of these ends a wait', async () => {
  const sale = await aSaleAt(house, 'started')
  const { buyer, at } = sale
  const { buyer: stranger } = await aSaleAt(house, 'started')
  for (const theirs of [aTrade, anAcceptedTrade]) await theirs(stranger)
  await aTradeAt('REJECTED', { owner: buyer, wholesaler })
  for (const gone of [await aTrade(buyer), await anAcceptedTrade(buyer)])
    await buyer.ask(deleteTrade, { params: { vin: gone.vin } })
  await step(buyer, at, { step: [0, 1], hasTrade: true })
  await step(buyer, at, { step: [0, 1, 2] })
  expect((await step(buyer, at, { step: [0, 1, 2, 3] })).pendingTradeInApproval).toBe(false)
  await aTrade(buyer)
  expect((await progressOf(sale)).pendingTradeInApproval).toBe(true)
})

test('the trade that one’s own request holds may be chosen for it again', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await goBack(sale, 5, 3)
  const unchecked = await step(sale.buyer, sale.at, { step: [], hasTrade: true, tradeVins: [] })
  expect(unchecked.activeBuyerStep).toBe(1)
  const chosen = await step(sale.buyer, sale.at, { step: [0, 1, 2, 3], tradeVins: [trade.vin] })
  expect(chosen).toMatchObject({ activeBuyerStep: 3, tradeVins: [trade.vin] })
})

test('an accepted trade that another purchase holds ends no wait', async () => {
  const { buyer } = await aSaleWithTrade()
  const other = { ...(await aListing(house)), buyer }
  await buyer.ask(calls.startProgress, { body: other.at })
  await aTrade(buyer)
  await step(buyer, other.at, { step: [0, 1], hasTrade: true })
  await step(buyer, other.at, { step: [0, 1, 2] })
  const waiting = await step(buyer, other.at, { step: [0, 1, 2, 3] })
  expect(waiting.pendingTradeInApproval).toBe(true)
})

test('the same request sent again only brings the buyer back to where they sign', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const told = async () => (await sale.seller.ask(listNotifications, { query: {} })).length
  const before = [await eventsOf(sale), await told()]
  await goBack(sale, 5)
  const body = { vin: sale.car.vin, price: 9000, trades: [trade.vin] }
  const again = await sale.buyer.send(calls.requestCar, { body })
  expect(again.status).toBe(200)
  expect((await progressOf(sale)).activeBuyerStep).toBe(6)
  await goBack(sale, 5)
  await offer(sale, 9000)
  expect((await progressOf(sale)).activeBuyerStep).toBe(6)
  expect([await eventsOf(sale), await told()]).toEqual(before)
})

// R-deals-54
test('a request repeated unchanged on an old version answers 200 and changes nothing, also once it is confirmed', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const { version } = await progressOf(sale)
  const body = { vin: sale.car.vin, price: 9000, trades: [trade.vin], version: version - 1 }
  expect((await sale.buyer.send(calls.requestCar, { body })).status).toBe(200)
  await confirm(sale)
  await signAsSeller(sale)
  const before = await digestOf(house)
  const again = await sale.buyer.send(calls.requestCar, { body })
  expect([again.status, again.answer]).toMatchObject([200, { status: 'ACCEPTED', price: 900_000 }])
  expect(await digestOf(house)).toEqual(before)
  const other = await sale.buyer.send(calls.requestCar, {
    body: { ...body, price: 8000, version: undefined },
  })
  expect([other.status, other.refusal.errorCode]).toEqual([409, 'InvalidTransition'])
})

test('a change of trades is told as that, old and new, and not as one of the price', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  const other = await aTradeAt('ACCEPTED', { owner: sale.buyer, wholesaler }, { carModel: 'Ranger' })
  const ask = (price: number, trades: string[]) =>
    sale.buyer.ask(calls.requestCar, { body: { vin: sale.car.vin, price, trades } })
  await signAsBuyer(sale)
  await ask(9000, [other.vin])
  const [changed] = await asTimeline(sale)
  expect(changed).toMatchObject({
    event: 'tradesChanged',
    from: '2013 Ford F-150 XLT',
    to: '2013 Ford Ranger XLT',
  })
  expect((await progressOf(sale)).buyerSigned).toBe(false)
  expect((await eventsOf(sale)).includes('repriced')).toBe(false)
  await ask(8800, [other.vin, trade.vin])
  expect((await eventsOf(sale)).slice(0, 2)).toEqual(['tradesChanged', 'repriced'])
  await ask(8700, [other.vin, trade.vin])
  const [repriced] = await asTimeline(sale)
  expect(repriced).toMatchObject({ event: 'repriced', from: '$8,800', to: '$8,700' })
})
const asTimeline = ({ buyer, at }: Sale) => buyer.ask(calls.timeline, { params: at })

test('a request that was turned down and is sent again unchanged is a request', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await turnDown(sale)
  await sale.buyer.ask(calls.requestCar, { body: { vin: sale.car.vin, price: 9000, trades: [trade.vin] } })
  expect((await asTimeline(sale))[0]).toMatchObject({ event: 'requested', to: '$9,000' })
})

// R-trades-13
test('a trade that is promised already is named, with the other car', async () => {
  const { trade, buyer } = await aSaleWithTrade()
  const other = { ...(await aListing(house, { carModel: 'Civic' })), buyer }
  const named =
    'Your 2013 Ford F-150 XLT is already part of your request for the 2003 Honda Accord EX. A trade serves one purchase at a time.'
  await aRequest(other, buyer, 9000)
  await goBack(other, 5, 3, 0)
  await step(buyer, other.at, { step: [0, 1], hasTrade: true })
  const chosen = await trySteps(buyer, other.at, { step: [0, 1, 2, 3], tradeVins: [trade.vin] })
  await step(buyer, other.at, { step: [0], goBack: true })
  await step(buyer, other.at, { step: [0, 1, 2, 3], hasTrade: false })
  await step(buyer, other.at, { step: [0, 1, 2, 3, 4, 5] })
  const late = await buyer.send(calls.requestCar, {
    body: { vin: other.car.vin, price: 9000, trades: [trade.vin] },
  })
  for (const { refusal } of [chosen, late])
    expect([refusal.errorCode, refusal.message]).toEqual(['TradeUnavailable', named])
})

const waysOut: [name: string, leave: (sale: Sale) => Promise<unknown>][] = [
  ['the seller denies the request', turnDown],
  [
    'the seller releases the confirmed buyer',
    async (sale) => {
      await confirm(sale)
      await turnDown(sale)
    },
  ],
  [
    'the buyer withdraws',
    ({ buyer, car }) =>
      buyer.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: buyer.id, vin: car.vin } }),
  ],
  [
    'the seller takes the listing down',
    ({ seller, car }) =>
      seller.ask(calls.deleteCar, { params: { userType: 'SELLER', userId: seller.id, vin: car.vin } }),
  ],
  [
    'the seller deletes the account',
    ({ seller }) => seller.ask(calls.deleteUser, { params: { userType: 'SELLER', id: seller.id } }),
  ],
  [
    'the car is sold to another buyer',
    async ({ seller, car, at }) => {
      const { buyer: other } = await aSaleAt(house, 'started')
      const theirs = { seller, car, at, buyer: other }
      await aRequest(theirs, other, 9500)
      await confirm(theirs)
      await signAsSeller(theirs)
      await signAsBuyer(theirs)
      await complete(house, theirs)
    },
  ],
]

// R-trades-14
test.each(waysOut)('a trade is free again when %s', async (_, leave) => {
  const { trade, ...sale } = await aSaleWithTrade()
  await leave(sale)
  expect(await freeOf(sale.buyer)).toEqual([trade.vin])
  const other = await aListing(house)
  const again = await aRequest(other, sale.buyer, 9000, [trade.vin])
  expect(again.status).toBe('PENDING')
})

// R-deals-18
test('another price brings a denied request back, and its trade with it', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await turnDown(sale)
  await offer(sale, 8800)
  expect(await freeOf(sale.buyer)).toEqual([])
  const [request] = await sale.seller.ask(calls.requestsOnCar, { params: { carId: sale.car._id } })
  expect(request?.trades.map(({ vin }) => vin)).toEqual([trade.vin])
})

test('a trade that was taken out of the request by its deletion does not come back', async () => {
  const { trade, ...sale } = await aSaleWithTrade()
  await sale.buyer.ask(deleteTrade, { params: { vin: trade.vin } })
  await offer(sale, 8800)
  expect(await asSellerReads(sale)).toMatchObject({ hasTrade: false, tradeVins: [] })
})

// R-safe-3, R-deals-16
test.each(tradeStatuses.filter((status) => status !== 'ACCEPTED'))(
  'a trade that is %s goes into no request',
  async (status) => {
    const { buyer, at, car } = await aSaleAt(house, 'requested')
    const { vin, _id } = await aTradeAt(status, { owner: buyer, wholesaler })
    const body = { vin: car.vin, price: 9100, sellerId: at.userId, trades: [vin] }
    const sent = await buyer.send(calls.requestCar, { body })
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'TradeUnavailable'])
    expect(await house.query('select from deal_trades where trade_id = $1', [_id])).toEqual([])
  },
)
