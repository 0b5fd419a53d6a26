import * as calls from '@keyturn/contract/trades/endpoints.ts'
import { tradeStatuses, waitsForOffer } from '@keyturn/contract/trades/rules.ts'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Browser, SentRequest, WireInput } from '../../../tests/support/browser.ts'
import {
  aBuyer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  aWholesaler,
} from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, sendTradeMove, statusAndCode } from '../../../tests/support/trades.ts'
import type { Administrator, Caller, UserActor } from '../../platform/http/authorization.ts'
import { listTradesOfUser } from './read-trades.ts'

// Access to trades and their history.

const server = await startTestServer()
const [owner, stranger, seller, wholesaler, another, administrator] = await Promise.all([
  aBuyer(server, { firstName: 'Olive', lastName: 'Owner' }),
  aBuyer(server),
  aSeller(server),
  aWholesaler(server, { firstName: 'Wes', lastName: 'Holt' }),
  aWholesaler(server),
  anAdministrator(server),
])
const people = { owner, wholesaler }

test('shows owners their own trades, strangers none, and wholesalers and the administrator all', async () => {
  const own = await aBuyer(server, { firstName: 'Lise', lastName: 'Listed' })
  const first = await aTrade(own)
  const second = await aTrade(own)
  const at: WireInput = { params: { userId: own.id } }
  const mine = await own.ask(calls.listTradesOfUser, at)
  expect(mine.map(({ _id }) => _id)).toEqual([second._id, first._id])
  expect(mine[0]?.buyer).toBeUndefined()
  expect(await statusAndCode(stranger.send(calls.listTradesOfUser, at))).toEqual([404, 'NotFound'])
  for (const who of [wholesaler, administrator])
    expect((await who.ask(calls.listTradesOfUser, at))[0]?.buyer).toEqual({
      firstName: 'Lise',
      lastName: 'Listed',
      email: own.email,
      phoneNumber: own.phoneNumber,
    })
})

// R-trades-19
test('lists all trades only to approved wholesalers and the administrator', async () => {
  for (const who of [owner, seller, await anUnapprovedWholesaler(server)])
    expect(await statusAndCode(who.send(calls.listTrades))).toEqual([403, 'Forbidden'])
  for (const who of [wholesaler, administrator]) expect((await who.send(calls.listTrades)).status).toBe(200)
})

// R-trades-21
test('lists each trade once by status and page, the longest waiting first, then the newest', async () => {
  for (const status of [...tradeStatuses, 'PENDING'] as const) await aTradeAt(status, people)
  const all: calls.Trade[] = []
  let query: WireInput['query'] = { limit: 7 }
  for (let pages = 0; pages < 30; pages++) {
    const sent: SentRequest<typeof calls.listTrades> = await wholesaler.send(calls.listTrades, { query })
    all.push(...sent.answer)
    const link: string | undefined = /^<\/trades\?(.+)>; rel="next"$/.exec(String(sent.headers.link))?.[1]
    if (!link) break
    expect(sent.answer).toHaveLength(7)
    query = Object.fromEntries(new URLSearchParams(link))
    expect(query.limit).toBe('7')
  }
  const [{ count } = { count: 0 }] = await server.query<{ count: number }>(
    'select count(*)::int from trades where deleted_at is null',
  )
  expect(all).toHaveLength(count)
  expect(new Set(all.map(({ _id }) => _id)).size).toBe(count)
  const waits = all.filter(({ status }) => waitsForOffer(status))
  expect(waits.length).toBeGreaterThan(2)
  expect(all.slice(0, waits.length)).toEqual(waits)
  const since = waits.map(({ movedAt }) => movedAt)
  expect(since).toEqual([...since].sort())
  const answered = all.slice(waits.length).map(({ createdAt }) => createdAt)
  expect(answered).toEqual([...answered].sort().reverse())
  for (const status of tradeStatuses) {
    const some = await wholesaler.ask(calls.listTrades, { query: { status, limit: 200 } })
    expect(some.map(({ _id }) => _id)).toEqual(
      all.filter((trade) => trade.status === status).map(({ _id }) => _id),
    )
  }
})

// R-trades-36
test('marks the same VIN of two owners for wholesalers and the administrator alone', async () => {
  const trade = await aTrade(owner)
  const readBy = async (who: Browser) =>
    (await who.ask(calls.listTrades, { query: { limit: 200 } })).find(({ _id }) => _id === trade._id)
  expect((await readBy(wholesaler))?.isVinShared).toBe(false)
  await aTrade(stranger, { vin: trade.vin })
  for (const who of [wholesaler, administrator]) expect((await readBy(who))?.isVinShared).toBe(true)
  const mine = await owner.ask(calls.listTradesOfUser, { params: { userId: owner.id } })
  expect(mine.find(({ _id }) => _id === trade._id)).not.toHaveProperty('isVinShared')
  await stranger.ask(calls.deleteTrade, { params: { vin: trade.vin } })
  expect((await readBy(wholesaler))?.isVinShared).toBe(false)
})

test('rejects a forged cursor', async () => {
  expect((await wholesaler.send(calls.listTrades, { query: { cursor: 'nonsense' } })).status).toBe(400)
})

test('shows the owner’s contact data only while it is needed (R-trades-20)', async () => {
  const contactOf = async (who: Browser, id: string) =>
    (await who.ask(calls.listTrades, { query: { limit: 200 } })).find(({ _id }) => _id === id)?.buyer?.email
  const trade = await aTradeAt('ACCEPTED', people)
  expect(await contactOf(wholesaler, trade._id)).toBe(owner.email)
  expect(await contactOf(another, trade._id)).toBeNull()
  expect(await contactOf(administrator, trade._id)).toBe(owner.email)
})

// R-trades-20
test('logs who reads the owner’s contact data', async () => {
  const lines: object[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const own = await aBuyer(server)
  const trade = await aTradeAt('OFFERED', { owner: own, wholesaler })
  const session = { sessionId: 'a'.repeat(24), verified: true }
  const theirs: UserActor = { ...session, id: wholesaler.id, userType: 'WHOLESALER', wholesaler: true }
  const oneself: UserActor = { ...session, id: own.id, userType: 'BUYER', wholesaler: false }
  const anAdministrator: Administrator = {
    id: null,
    username: 'admin',
    role: 'OPERATOR',
    sessionId: session.sessionId,
    ip: '',
    isConfirmed: true,
    mustEnroll: false,
  }
  const askers: Caller[] = [
    { user: theirs, administrator: null },
    { user: null, administrator: anAdministrator },
    { user: oneself, administrator: null },
  ]
  for (const caller of askers) await listTradesOfUser({ ...server.deps, log }, caller, own.id, server.deps.db)
  expect(lines).toMatchObject([
    { event: 'contacts read', wholesaler: wholesaler.id, trades: [trade._id] },
    { event: 'contacts read', administrator: 'admin', trades: [trade._id] },
  ])
})

test('lists accepted trades as available, with the API’s name for the model', async () => {
  const own = await aBuyer(server)
  const trade = await aTradeAt('ACCEPTED', { owner: own, wholesaler }, { payoff: true })
  await aTradeAt('OFFERED', { owner: own, wholesaler })
  const at: WireInput = { params: { userId: own.id } }
  expect(await own.ask(calls.listAvailableTrades, at)).toEqual([
    {
      _id: trade._id,
      vin: trade.vin,
      year: 2013,
      make: 'Ford',
      model: 'F-150',
      price: 2_000_000,
      payoff: true,
      payoffAmount: null,
    },
  ])
  expect(await statusAndCode(stranger.send(calls.listAvailableTrades, at))).toEqual([404, 'NotFound'])
})

// R-trades-18
test('shows the same history to everyone involved, and to nobody else', async () => {
  const trade = await aTrade(owner)
  await sendTradeMove(wholesaler, trade, { status: 'OFFERED', price: 20_000 })
  await sendTradeMove(owner, trade, { status: 'OFFER', price: 21_500 })
  await sendTradeMove(owner, trade, { status: 'REJECTED' })
  await sendTradeMove(administrator, trade, { status: 'PENDING' })
  const at: WireInput = { params: { tradeId: trade._id } }
  const story = await owner.ask(calls.readTradeHistory, at)
  const rowOf = ({ actor, name, event, status, price, salesTax }: calls.TradeEvent) => [
    actor,
    name,
    event,
    status,
    price,
    salesTax,
  ]
  expect(story.map(rowOf)).toEqual([
    ['OWNER', 'Olive Owner', 'submit', 'PENDING', null, null],
    ['WHOLESALER', 'Wes Holt', 'offer', 'OFFERED', 2_000_000, 60_000],
    ['OWNER', 'Olive Owner', 'counter', 'OFFER', 2_150_000, 60_000],
    ['OWNER', 'Olive Owner', 'forfeit', 'REJECTED', 2_150_000, 60_000],
    ['ADMIN', undefined, 'reset', 'PENDING', null, null],
  ])
  for (const who of [wholesaler, another, administrator])
    expect(await who.ask(calls.readTradeHistory, at)).toEqual(story)
  expect(await statusAndCode(stranger.send(calls.readTradeHistory, at))).toEqual([404, 'NotFound'])
})

// R-trades-18
test('never changes rows in the history', async () => {
  const trade = await aTrade(owner)
  for (const sql of [
    'update trade_events set price_cents = 1 where trade_id = $1',
    'delete from trade_events where trade_id = $1',
  ])
    await expect(server.query(sql, [trade._id])).rejects.toThrow('never changed')
})
