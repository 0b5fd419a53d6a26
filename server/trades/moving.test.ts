import { adminLogin } from '@keyturn/contract/accounts/calls.ts'
import { listNotifications, markRead } from '@keyturn/contract/notifications/calls.ts'
import * as calls from '@keyturn/contract/trades/calls.ts'
import { type TradeStatus, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { describe, expect, test } from 'vitest'
import { openHouse } from '../test/house.ts'
import { aBuyer, anAdministrator, anUnapprovedWholesaler, aWholesaler, mailsTo } from '../test/people.ts'
import { aTrade, aTradeAt, aTradeForm, codeOf, move } from '../test/trades.ts'

// Who may bring a trade from which status to which, at whose price: PATCH /trades/:tradeId.

const house = await openHouse()
const [owner, stranger, wholesaler, another, administrator] = await Promise.all([
  aBuyer(house, { firstName: 'Olive', lastName: 'Owner' }),
  aBuyer(house),
  aWholesaler(house, { firstName: 'Wes', lastName: 'Holt' }),
  aWholesaler(house),
  anAdministrator(house),
])
const people = { owner, wholesaler }

// R-trades-27
test('offer, counter, match, accept: prices and credits are the server’s', async () => {
  const trade = await aTrade(owner)
  const offered = await move(wholesaler, trade, {
    status: 'OFFERED',
    price: 20_000,
    salesTax: 9_999,
    active: false,
  })
  expect(offered.answer).toMatchObject({
    status: 'OFFERED',
    price: 2_000_000,
    salesTax: 60_000,
    active: true,
  })
  expect(offered.answer.taxRate).toBe('0.06')
  const countered = await move(owner, trade, { status: 'OFFER', price: 9_000.55, salesTax: 9_999 })
  expect(countered.answer).toMatchObject({
    status: 'OFFER',
    price: 900_055,
    salesTax: 54_003,
    active: true,
  })
  expect(countered.answer.offerExpiresAt).toBeNull()
  const matched = await move(wholesaler, trade, { status: 'OFFERED', price: 9_000.55 })
  expect(matched.answer).toMatchObject({ status: 'OFFERED', price: 900_055, salesTax: 54_003 })
  const accepted = await move(owner, trade, { status: 'ACCEPTED', price: 9_000.55, vin: trade.vin })
  expect(accepted.answer).toMatchObject({
    status: 'ACCEPTED',
    price: 900_055,
    salesTax: 54_003,
    active: true,
  })
  const versions = [trade, offered.answer, countered.answer, matched.answer, accepted.answer].map(
    (t) => t.version,
  )
  expect(versions).toEqual([...versions].sort((a, b) => a - b))
  expect(new Set(versions).size).toBe(5)
})

test('an exempt zip code has no credit', async () => {
  const trade = await aTradeAt('OFFERED', people, { zipCode: '90210' })
  expect(trade).toMatchObject({ price: 2_000_000, salesTax: 0 })
})

test('a zip code that nobody knows holds up nothing', async () => {
  const trade = await aTradeAt('OFFERED', people, { zipCode: '00001' })
  expect(trade).toMatchObject({ price: 2_000_000, salesTax: 0, taxRate: 'Unavailable' })
})

const actors = { owner, wholesaler, administrator } as const
const moves: Record<string, TradeStatus> = {
  'PENDING wholesaler OFFERED': 'OFFERED',
  'OFFER wholesaler OFFERED': 'OFFERED',
  'OFFERED owner ACCEPTED': 'ACCEPTED',
  'OFFERED owner REJECTED': 'REJECTED',
  'OFFERED owner OFFER': 'OFFER',
  'OFFER owner REJECTED': 'REJECTED',
  'REJECTED administrator PENDING': 'PENDING',
}

describe.each(tradeStatuses)('from %s', (from) => {
  test.each(['owner', 'wholesaler', 'administrator'] as const)('by the %s', async (who) => {
    let trade = await aTradeAt(from, people)
    for (const wish of tradeStatuses) {
      const becomes = moves[`${from} ${who} ${wish}`]
      const before = await house.query('select * from trades where id = $1', [trade._id])
      const price = wish === 'OFFERED' || wish === 'OFFER' ? 123.45 : undefined
      const sent = await move(actors[who], trade, { status: wish, price, version: trade.version })
      if (becomes) {
        expect([sent.status, sent.answer.status]).toEqual([200, becomes])
        trade = await aTradeAt(from, people)
      } else {
        expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'InvalidTransition'])
        expect(sent.refusal.current).toMatchObject({ _id: trade._id, status: from, version: trade.version })
        expect(await house.query('select * from trades where id = $1', [trade._id])).toEqual(before)
      }
    }
  })
})

// R-trades-5
test('a reset takes the price away', async () => {
  const trade = await aTradeAt('REJECTED', people)
  expect(trade).toMatchObject({ price: 2_000_000, active: false })
  const reset = await administrator.ask(calls.moveTrade, {
    params: { tradeId: trade._id },
    body: { status: 'PENDING', price: 5 },
  })
  expect(reset).toMatchObject({
    status: 'PENDING',
    price: null,
    salesTax: null,
    taxRate: null,
    active: false,
  })
})

test('another buyer’s trade and none at all are the same', async () => {
  const trade = await aTradeAt('OFFERED', people)
  const theirs = await move(stranger, trade, { status: 'ACCEPTED' })
  const nobodys = await move(stranger, { _id: 'a'.repeat(24) }, { status: 'ACCEPTED' })
  expect([theirs.status, theirs.body]).toEqual([404, nobodys.body])
})

test('a VIN that is not this trade’s is no help', async () => {
  const trade = await aTradeAt('OFFERED', people)
  const wish = { status: 'ACCEPTED', vin: aTradeForm().vin }
  expect(await codeOf(move(owner, trade, wish))).toEqual([404, 'NotFound'])
})

test('an unapproved wholesaler is Forbidden, also for what does not exist', async () => {
  const waiting = await anUnapprovedWholesaler(house)
  const trade = await aTrade(owner)
  for (const target of [trade, { _id: 'a'.repeat(24) }])
    expect(await codeOf(move(waiting, target, { status: 'OFFERED', price: 1 }))).toEqual([403, 'Forbidden'])
})

// R-trades-4
test('an acceptance of another price than the stored one changes nothing', async () => {
  const trade = await aTradeAt('OFFERED', people)
  const sent = await move(owner, trade, { status: 'ACCEPTED', price: 25_000 })
  expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  expect(sent.refusal.current).toMatchObject({ status: 'OFFERED', price: 20_000, salesTax: 600 })
})

// R-everywhere-5
test('an old version is refused with how things stand', async () => {
  const trade = await aTrade(owner)
  const offered = (await move(wholesaler, trade, { status: 'OFFERED', price: 20_000 })).answer
  const stale = await move(owner, trade, { status: 'ACCEPTED', version: trade.version })
  expect([stale.status, stale.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  expect(stale.refusal.current).toMatchObject({
    version: offered.version,
    status: 'OFFERED',
    price: 20_000,
  })
})

test.each([0, -1, 10_000_000.01, 1.005, '12000', '12,000', null])(
  'an offer of %j is refused',
  async (price) => {
    const trade = await aTrade(owner)
    const sent = await move(wholesaler, trade, { status: 'OFFERED', price })
    expect([sent.status, sent.refusal.errors?.[0]?.path]).toEqual([400, 'price'])
  },
)

// R-notifications-6
test('an offer rings the bell of the owner alone; its answer goes to who made it', async () => {
  const own = await aBuyer(house)
  const trade = await aTradeAt('OFFERED', { owner: own, wholesaler }, { make: 'Rung' })
  const [told] = await own.ask(listNotifications)
  expect(told).toMatchObject({ type: 'TRADE_OFFERED', recipientId: own.id, isRead: false })
  expect(told?.message).toContain('2013 Rung F-150')
  await own.ask(markRead, { params: { id: told?._id ?? '' } })
  expect((await wholesaler.ask(listNotifications)).some(({ type }) => type === 'TRADE_OFFERED')).toBe(false)
  await move(own, trade, { status: 'OFFER', price: 21_500 })
  const [mail] = await mailsTo(house, wholesaler.email)
  expect(mail?.subject).toBe('A counter offer for the 2013 Rung F-150 XLT')
  expect(mail?.text).toContain('$21,500')
  expect((await mailsTo(house, another.email)).some(({ subject }) => subject.includes('counter'))).toBe(false)
})

test('lends the rights of both, and to each move only those it needs', async () => {
  const own = await aBuyer(house)
  await own.ask(adminLogin, { body: { username: 'admin', password: 'open sesame 42' } })
  const rejected = await aTradeAt('REJECTED', { owner: own, wholesaler })
  expect((await move(own, rejected, { status: 'PENDING' })).status).toBe(200)
  const history = await own.ask(calls.tradeHistory, { params: { tradeId: rejected._id } })
  expect(history.at(-1)).toMatchObject({ actor: 'ADMIN', event: 'reset' })
  const theirs = await aTradeAt('OFFERED', people)
  expect(await codeOf(move(own, theirs, { status: 'ACCEPTED' }))).toEqual([409, 'InvalidTransition'])
})
