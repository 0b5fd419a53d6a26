import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { formatDeadline } from '@keyturn/contract/shared/dates.ts'
import * as calls from '@keyturn/contract/trades/endpoints.ts'
import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import { aBuyer, aWholesaler, readEmailsTo, type TestPerson } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt, readTradeEvents, sendTradeMove, statusAndCode } from '../../../tests/support/trades.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { expireOffers, tradeTasks } from './expire-offers.ts'

// An offer is valid for seven days.

const server = await startTestServer()
const [owner, stranger, wholesaler, another] = await Promise.all([
  aBuyer(server, { firstName: 'Olive', lastName: 'Owner' }),
  aBuyer(server),
  aWholesaler(server, { firstName: 'Wes', lastName: 'Holt' }),
  aWholesaler(server),
])

/** The notifications about offers and their deadline so far. */
async function readNotificationsOf(person: TestPerson): Promise<string[]> {
  await runDueJobs(server.deps, tradeTasks(server.deps))
  const notices = await person.ask(listNotifications, { query: {} })
  return notices.map(({ message }) => message).filter((message) => !message.startsWith('You have an offer'))
}

const subjectsTo = async ({ email }: TestPerson) =>
  (await readEmailsTo(server, email))
    .map(({ subject }) => subject)
    .filter((subject) => /offer .* (ends|expired)/.test(subject))

const ended =
  'The offer of $20,000 for your 2013 Ford F-150 XLT has expired. Your request is open to wholesalers again.'

/** Creates the trade in the past, because advancing the clock would end today's sessions. */
async function agedTrade(status: TradeStatus, ago: string, by = owner): Promise<calls.Trade> {
  await server.moveClock(ago)
  try {
    return await aTradeAt(status, { owner: by, wholesaler })
  } finally {
    await server.moveClock('0 days')
  }
}

test('accepts an offer one minute before it expires', async () => {
  const trade = await agedTrade('OFFERED', '-167 hours -59 minutes')
  expect((await sendTradeMove(owner, trade, { status: 'ACCEPTED', version: trade.version })).status).toBe(200)
})

// R-trades-6
test.each([true, false])(
  'returns OfferExpired after the offer has ended, with a version: %s',
  async (named) => {
    const trade = await agedTrade('OFFERED', '-168 hours')
    const wish = { status: 'ACCEPTED', ...(named ? { version: trade.version } : {}) }
    const sent = await sendTradeMove(owner, trade, wish)
    expect([sent.status, sent.error.errorCode]).toEqual([409, 'OfferExpired'])
    expect(sent.error.current).toMatchObject({
      status: 'PENDING',
      price: null,
      salesTax: null,
      active: false,
    })
    expect(await statusAndCode(sendTradeMove(owner, trade, wish))).toEqual([409, 'OfferExpired'])
    const history = await owner.ask(calls.readTradeHistory, { params: { tradeId: trade._id } })
    expect(history.at(-1)).toMatchObject({ actor: 'CLOCK', event: 'expire', status: 'PENDING', price: null })
    expect(history.at(-1)?.name).toBeUndefined()
  },
)

// R-trades-6
test('does not expire a counter or an accepted trade', async () => {
  const person = await aBuyer(server)
  for (const status of ['OFFER', 'ACCEPTED'] as const) await agedTrade(status, '-30 days', person)
  const list = await person.ask(calls.listTradesOfUser, { params: { userId: person.id } })
  expect(list.map(({ status }) => status).sort()).toEqual(['ACCEPTED', 'OFFER'])
})

// R-trades-6
test('reminds the owner once, in their time zone, a day before the end, unless the offer was answered', async () => {
  const person = await aBuyer(server)
  await server.query("update sessions set time_zone = 'Pacific/Auckland' where user_id = $1", [person.id])
  const inTime = await agedTrade('OFFERED', '-143 hours -59 minutes', person)
  await agedTrade('ACCEPTED', '-144 hours', person)
  expect(await readNotificationsOf(person)).toEqual([])
  await server.moveClock('2 minutes')
  const until = formatDeadline(inTime.offerExpiresAt ?? '', 'Pacific/Auckland')
  const reminder = `The offer of $20,000 for your 2013 Ford F-150 XLT ends on ${until}.`
  expect(await readNotificationsOf(person)).toEqual([reminder])
  expect(await readNotificationsOf(person)).toEqual([reminder])
  expect(await subjectsTo(person)).toEqual(['The offer for your 2013 Ford F-150 XLT ends soon'])
  await server.moveClock('0 days')
  expect((await sendTradeMove(person, inTime, { status: 'ACCEPTED' })).status).toBe(200)
})

// R-trades-6
test('expires an offer in a job, and notifies both parties once', async () => {
  const person = await aBuyer(server)
  const trade = await agedTrade('OFFERED', '-168 hours', person)
  expect(await readNotificationsOf(person)).toEqual([ended])
  expect(await readNotificationsOf(person)).toEqual([ended])
  expect((await readTradeEvents(server, trade._id)).at(-1)?.event).toBe('expire')
  expect(await subjectsTo(person)).toEqual(['The offer for your 2013 Ford F-150 XLT has expired'])
  expect(await subjectsTo(wholesaler)).toContain('Your offer for the 2013 Ford F-150 XLT has expired')
  const expiredOffer = { price: 2_000_000, at: trade.offerExpiresAt }
  const [own] = await person.ask(calls.listTradesOfUser, { params: { userId: person.id } })
  expect(own).toMatchObject({ status: 'PENDING', price: null, expiredOffer })
  const list = await another.ask(calls.listTrades, { query: { limit: 200 } })
  expect(list.find(({ _id }) => _id === trade._id)).toMatchObject({ expiredOffer })
  const offer = await sendTradeMove(another, trade, { status: 'OFFERED', price: 19_000 })
  expect(offer.answer).toMatchObject({ status: 'OFFERED', expiredOffer: null })
})

// R-trades-6
test('notifies of the end of an offer whatever triggered it, even if the trade was locked then', async () => {
  const [looked, left, locked] = await Promise.all([aBuyer(server), aBuyer(server), aBuyer(server)])
  const leaving = await aWholesaler(server)
  await agedTrade('OFFERED', '-168 hours', looked)
  await server.query("delete from jobs where name = 'settle-offers'")
  await another.ask(calls.listTrades, { query: { status: 'PENDING', limit: 200 } })
  expect(await readNotificationsOf(looked)).toEqual([ended])

  await aTradeAt('OFFERED', { owner: left, wholesaler: leaving })
  const params = { userType: 'WHOLESALER', id: leaving.id }
  await leaving.ask(deleteUser, { params, body: { currentPassword: leaving.password } })
  expect(await readNotificationsOf(left)).toEqual([
    'The wholesaler withdrew the offer of $20,000 for your 2013 Ford F-150 XLT. Your request is open to wholesalers again.',
  ])

  const trade = await agedTrade('OFFERED', '-168 hours', locked)
  const holder = await server.deps.pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin')
  await holder.query('select 1 from trades where id = $1 for update', [trade._id])
  expect(await readNotificationsOf(locked)).toEqual([])
  await holder.query('commit')
  await server.query('update jobs set run_at = keyturn_now()')
  await readNotificationsOf(locked)
  expect(await readNotificationsOf(locked)).toEqual([ended])
})

test('expires a thousand offers in one run, each with an event', async () => {
  const trade = await agedTrade('OFFERED', '-8 days')
  await server.query(
    `insert into trades (id, owner_id, vin, make, model, year, trim, mileage, color, zip_code, payoff, status, price_cents,
       tax_credit_cents, tax_rate, offer_expires_at)
     select lpad(to_hex(n), 24, '0'), $1, 'DUE' || n, 'Ford', 'F', 2013, 'X', 1, 'Blue', '48201', false, 'OFFERED', 100, 6, '0.06',
       now() - interval '1 hour' from generate_series(1, 1000) n`,
    [stranger.id],
  )
  expect(await expireOffers(server.deps.db)).toBe(1001)
  expect(await expireOffers(server.deps.db)).toBe(0)
  const [counts] = await server.query(
    `select count(*)::int as trades, count(distinct trade_id)::int as lines from trades join trade_events on trade_id = trades.id
     where vin like 'DUE%' and trades.status = 'PENDING' and event = 'expire' and actor = 'CLOCK' and trade_events.version = trades.version`,
  )
  expect(counts).toEqual({ trades: 1000, lines: 1000 })
  expect((await readTradeEvents(server, trade._id)).at(-1)?.event).toBe('expire')
  await server.query("update trades set deleted_at = now() where vin like 'DUE%'")
})
