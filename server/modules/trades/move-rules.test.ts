import { adminLogin } from '@keyturn/contract/accounts/endpoints.ts'
import { listNotifications, markRead } from '@keyturn/contract/notifications/endpoints.ts'
import * as calls from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, anAdministrator, aWholesaler, readEmailsTo } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, aTradeForm, sendTradeMove, statusAndCode } from '../../../tests/support/trades.ts'

// PATCH /trades/:tradeId: callers, states and prices.

const server = await startTestServer()
const [owner, wholesaler, another, administrator] = await Promise.all([
  aBuyer(server, { firstName: 'Olive', lastName: 'Owner' }),
  aWholesaler(server, { firstName: 'Wes', lastName: 'Holt' }),
  aWholesaler(server),
  anAdministrator(server),
])
const people = { owner, wholesaler }

const readAsWholesaler = async (who: typeof wholesaler, { _id }: calls.Trade) =>
  (await who.ask(calls.listTrades, { query: { limit: 200 } })).find((trade) => trade._id === _id)

// R-trades-27
test('computes prices and credits on the server for an offer, a counter, a match and an acceptance', async () => {
  const trade = await aTrade(owner)
  const forged = { salesTax: 9_999, active: false }
  const offered = (await sendTradeMove(wholesaler, trade, { status: 'OFFERED', price: 20_000, ...forged }))
    .answer
  const rated = { taxRate: '0.06', taxRateAsOf: '2025-01-01', state: 'MI' }
  const first = { price: 2_000_000, salesTax: 60_000, ...rated, active: true }
  expect(offered).toMatchObject({ status: 'OFFERED', ...first })
  const second = { price: 900_055, salesTax: 54_003, ...rated, active: true }
  const countered = (await sendTradeMove(owner, trade, { status: 'OFFER', price: 9_000.55, ...forged }))
    .answer
  expect(countered).toMatchObject({ status: 'OFFER', offerExpiresAt: null, ...second })
  const matched = (await sendTradeMove(wholesaler, trade, { status: 'OFFERED', price: 9_000.55 })).answer
  expect(matched).toMatchObject({ status: 'OFFERED', ...second })
  const acceptance = { status: 'ACCEPTED', price: 9_000.55, vin: trade.vin }
  const accepted = (await sendTradeMove(owner, trade, acceptance)).answer
  expect(accepted).toMatchObject({ status: 'ACCEPTED', ...second })
  const versions = [trade, offered, countered, matched, accepted].map(({ version }) => version)
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
})

// R-safe-4
test('rejects an acceptance at a price other than the stored one', async () => {
  const trade = await aTradeAt('OFFERED', people)
  const sent = await sendTradeMove(owner, trade, { status: 'ACCEPTED', price: 25_000 })
  expect([sent.status, sent.error.errorCode]).toEqual([409, 'StaleVersion'])
  expect(sent.error.current).toMatchObject({ status: 'OFFERED', price: 20_000, salesTax: 600 })
})

test.each([
  ['of an exempt state', '90210', { salesTax: 0 }],
  ['of a military address', '09001', { salesTax: 0, taxRate: 'Unavailable' }],
])('accepts a ZIP code %s, without a credit', async (_, zipCode, credit) => {
  expect(await aTradeAt('OFFERED', people, { zipCode })).toMatchObject({ price: 2_000_000, ...credit })
})

const actors = { owner, wholesaler, administrator } as const

// contract/trades/rules.test.ts has the whole table.
test.each([
  ['PENDING', 'owner', 'OFFERED'],
  ['OFFERED', 'wholesaler', 'ACCEPTED'],
  ['OFFERED', 'administrator', 'REJECTED'],
  ['REJECTED', 'owner', 'PENDING'],
] as const)('rejects the move from %s by the %s to %s, and changes nothing', async (from, who, status) => {
  const trade = await aTradeAt(from, people)
  const before = await server.query('select * from trades where id = $1', [trade._id])
  const sent = await sendTradeMove(actors[who], trade, { status, price: 123.45, version: trade.version })
  expect([sent.status, sent.error.errorCode]).toEqual([409, 'InvalidTransition'])
  expect(sent.error.current).toMatchObject({ _id: trade._id, status: from, version: trade.version })
  expect(await server.query('select * from trades where id = $1', [trade._id])).toEqual(before)
})

// R-trades-5
test('removes the price when the trade is reset', async () => {
  const trade = await aTradeAt('REJECTED', people)
  expect(trade).toMatchObject({ price: 2_000_000, active: false })
  const { answer } = await sendTradeMove(administrator, trade, { status: 'PENDING', price: 5 })
  const cleared = { price: null, salesTax: null, taxRate: null, taxRateAsOf: null, active: false }
  expect(answer).toMatchObject({ status: 'PENDING', ...cleared })
})

test('rejects a VIN other than the trade’s', async () => {
  const trade = await aTradeAt('OFFERED', people)
  const wish = { status: 'ACCEPTED', vin: aTradeForm().vin }
  expect(await statusAndCode(sendTradeMove(owner, trade, wish))).toEqual([404, 'NotFound'])
})

// R-everywhere-5
test('rejects an old version and returns the current state', async () => {
  const trade = await aTrade(owner)
  const offered = (await sendTradeMove(wholesaler, trade, { status: 'OFFERED', price: 20_000 })).answer
  const stale = await sendTradeMove(owner, trade, { status: 'ACCEPTED', version: trade.version })
  expect([stale.status, stale.error.errorCode]).toEqual([409, 'StaleVersion'])
  expect(stale.error.current).toMatchObject({
    version: offered.version,
    status: 'OFFERED',
    price: 20_000,
  })
})

// R-notifications-6
test('notifies only the owner of an offer, and only the offering wholesaler of the answer', async () => {
  const own = await aBuyer(server)
  const trade = await aTradeAt('OFFERED', { owner: own, wholesaler }, { make: 'Rung' })
  const [told] = await own.ask(listNotifications)
  expect(told).toMatchObject({ type: 'TRADE_OFFERED', recipientId: own.id, isRead: false })
  expect(told?.message).toContain('2013 Rung F-150')
  await own.ask(markRead, { params: { id: told?._id ?? '' } })
  expect((await wholesaler.ask(listNotifications)).some(({ type }) => type === 'TRADE_OFFERED')).toBe(false)
  await sendTradeMove(own, trade, { status: 'OFFER', price: 21_500 })
  const [mail] = await readEmailsTo(server, wholesaler.email)
  expect(mail?.subject).toBe('A counter offer for the 2013 Rung F-150 XLT')
  expect(mail?.text).toContain('$21,500')
  expect((await readEmailsTo(server, another.email)).some(({ subject }) => subject.includes('counter'))).toBe(
    false,
  )
  // R-trades-31
  await sendTradeMove(own, trade, { status: 'REJECTED' })
  const [forfeit] = await readEmailsTo(server, wholesaler.email)
  expect(forfeit?.subject).toBe('The counter offer for the 2013 Rung F-150 XLT was forfeited')
  expect(forfeit?.text).not.toContain('rejected')
})

test('combines the rights of both sessions, and requires only what each move needs', async () => {
  const own = await aBuyer(server)
  await own.ask(adminLogin, { body: { username: 'admin', password: 'open sesame 42' } })
  const rejected = await aTradeAt('REJECTED', { owner: own, wholesaler })
  expect((await sendTradeMove(own, rejected, { status: 'PENDING' })).status).toBe(200)
  const history = await own.ask(calls.readTradeHistory, { params: { tradeId: rejected._id } })
  expect(history.at(-1)).toMatchObject({ actor: 'ADMIN', event: 'reset' })
  const theirs = await aTradeAt('OFFERED', people)
  expect(await statusAndCode(sendTradeMove(own, theirs, { status: 'ACCEPTED' }))).toEqual([
    409,
    'InvalidTransition',
  ])
})

// R-trades-34
test('makes a trade pending again when its wholesaler withdraws the offer, and tells the owner', async () => {
  const own = await aBuyer(server)
  const trade = await aTradeAt('OFFERED', { owner: own, wholesaler }, { make: 'Typo' })
  expect(trade.withdrawableUntil).toBe(new Date(Date.parse(trade.movedAt) + 600_000).toISOString())
  expect(await statusAndCode(sendTradeMove(another, trade, { status: 'PENDING' }))).toEqual([
    409,
    'InvalidTransition',
  ])
  const { answer } = await sendTradeMove(wholesaler, trade, { status: 'PENDING', version: trade.version })
  const expiredOffer = { price: 2_000_000, at: answer.movedAt, isWithdrawn: true }
  expect(answer).toMatchObject({ status: 'PENDING', price: null, active: false, expiredOffer })
  const notices = await own.ask(listNotifications)
  expect(notices[0]?.message).toMatch(/^The wholesaler withdrew the offer of \$20,000 for your 2013 Typo/)
  const late = await sendTradeMove(own, trade, { status: 'ACCEPTED', version: trade.version })
  expect([late.status, late.error.errorCode]).toEqual([409, 'OfferWithdrawn'])
  const history = await own.ask(calls.readTradeHistory, { params: { tradeId: trade._id } })
  expect(history.at(-1)).toMatchObject({ actor: 'WHOLESALER', event: 'withdraw', name: 'Wes Holt' })
  const again = (await sendTradeMove(another, trade, { status: 'OFFERED', price: 19_000 })).answer
  expect(again).toMatchObject({ status: 'OFFERED', expiredOffer: null })
})

// R-trades-34
test('lets a wholesaler withdraw one offer per trade and day', async () => {
  const trade = await aTradeAt('OFFERED', people)
  const withdraw = () => statusAndCode(sendTradeMove(wholesaler, trade, { status: 'PENDING' }))
  expect(await withdraw()).toEqual([200, undefined])
  const again = await sendTradeMove(wholesaler, trade, { status: 'OFFERED', price: 19_000 })
  expect(again.answer).toMatchObject({ isOwnOffer: true, withdrawableUntil: null })
  expect(await readAsWholesaler(wholesaler, trade)).toMatchObject({ withdrawableUntil: null })
  expect(await withdraw()).toEqual([409, 'AlreadyWithdrawn'])
  await sendTradeMove(owner, trade, { status: 'OFFER', price: 21_000 })
  const others = await sendTradeMove(another, trade, { status: 'OFFERED', price: 19_500 })
  expect(others.answer.withdrawableUntil).toBeTruthy()
})

// R-trades-34
test('keeps an offer that was answered or is ten minutes old by the database’s clock', async () => {
  await server.moveClock('-10 minutes')
  const old = await aTradeAt('OFFERED', people).finally(() => server.moveClock('0 days'))
  expect(await statusAndCode(sendTradeMove(wholesaler, old, { status: 'PENDING' }))).toEqual([
    409,
    'WithdrawalOver',
  ])
  for (const status of ['OFFER', 'ACCEPTED', 'REJECTED'] as const) {
    const answered = await aTradeAt(status, people)
    expect(answered.withdrawableUntil ?? null).toBeNull()
    const sent = sendTradeMove(wholesaler, answered, { status: 'PENDING' })
    expect(await statusAndCode(sent)).toEqual([409, 'InvalidTransition'])
  }
})

// R-trades-35
test('shows whose amount a price is, and the offer that it answers', async () => {
  const trade = await aTradeAt('OFFER', people)
  const countered = { price: 2_150_000, counteredOffer: 2_000_000 }
  expect(trade).toMatchObject(countered)
  expect(await readAsWholesaler(wholesaler, trade)).toMatchObject({ ...countered, isOwnOffer: true })
  expect(await readAsWholesaler(another, trade)).toMatchObject({
    ...countered,
    isOwnOffer: false,
    withdrawableUntil: null,
  })
  const forfeited = await sendTradeMove(owner, trade, { status: 'REJECTED' })
  expect(forfeited.answer).toMatchObject({ status: 'REJECTED', ...countered })
  const mine = await owner.ask(calls.listTradesOfUser, { params: { userId: owner.id } })
  expect(mine.find(({ _id }) => _id === trade._id)).toMatchObject(countered)
  const reset = await sendTradeMove(administrator, trade, { status: 'PENDING' })
  expect(reset.answer).toMatchObject({ price: null, counteredOffer: null })
  const rejected = await aTradeAt('REJECTED', people)
  expect(rejected).toMatchObject({ price: 2_000_000, counteredOffer: null })
})

// R-trades-9
test.each([0, 12.345, 10_000_001, -5])('rejects the amount %s with a sentence', async (price) => {
  for (const [status, from, who] of [
    ['OFFERED', 'PENDING', wholesaler],
    ['OFFER', 'OFFERED', owner],
  ] as const) {
    const sent = await sendTradeMove(who, await aTradeAt(from, people), { status, price })
    expect(sent.status).toBe(400)
    expect(sent.error.errors).toEqual([
      { path: 'price', message: 'Enter an amount from 0.01 to 10,000,000, with at most two decimals.' },
    ])
  }
})
