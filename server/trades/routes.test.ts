import { adminLogin } from '@keyturn/contract/accounts/calls.ts'
import { addCar } from '@keyturn/contract/cars/calls.ts'
import {
  decideBuyer,
  deleteUser,
  getProgress,
  requestCar,
  startProgress,
  updateProgress,
} from '@keyturn/contract/deals/calls.ts'
import { listNotifications, markRead } from '@keyturn/contract/notifications/calls.ts'
import * as calls from '@keyturn/contract/trades/calls.ts'
import { type TradeStatus, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { describe, expect, test } from 'vitest'
import { doDueJobs } from '../jobs.ts'
import type { Browser, Sent, Wire } from '../test/browser.ts'
import { openHouse } from '../test/house.ts'
import {
  aBuyer,
  aNewcomer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  aWholesaler,
  mailsTo,
} from '../test/people.ts'
import { aTrade, aTradeAt, aTradeForm } from '../test/trades.ts'
import { settleOffers, tradeJobs } from './actions.ts'

const house = await openHouse()
const [owner, stranger, seller, wholesaler, another, administrator] = await Promise.all([
  aBuyer(house, { firstName: 'Olive', lastName: 'Owner' }),
  aBuyer(house),
  aSeller(house),
  aWholesaler(house, { firstName: 'Wes', lastName: 'Holt' }),
  aWholesaler(house),
  anAdministrator(house),
])
const people = { owner, wholesaler }

const move = (who: Browser, trade: { _id: string }, body: object) =>
  who.send(calls.moveTrade, { params: { tradeId: trade._id }, body })
const codeOf = async (sent: Promise<{ status: number; body: string }>) => {
  const { status, body } = await sent
  return [status, JSON.parse(body).errorCode]
}
const eventsOf = (id: string) =>
  house.query<{ event: string }>('select event from trade_events where trade_id = $1 order by version', [id])

describe('POST /trades', () => {
  test('a trade begins PENDING, without a price, whatever is sent', async () => {
    const form = { ...aTradeForm({ message: 'New tyres.' }), buyerId: owner.id }
    const sent = await owner.send(calls.addTrade, {
      body: { ...form, status: 'ACCEPTED', price: 99_999, salesTax: 5, active: true, _id: 'f'.repeat(24) },
    })
    expect(sent.status).toBe(201)
    expect(sent.answer).toMatchObject({
      ...form,
      buyerId: owner.id,
      status: 'PENDING',
      price: null,
      salesTax: null,
      active: false,
      message: 'New tyres.',
    })
    expect(sent.answer.buyer).toBeUndefined()
  })

  test('a seller may add one too', async () => {
    expect((await aTrade(seller)).buyerId).toBe(seller.id)
  })

  test('the same VIN twice by one person is refused, by two it is not', async () => {
    const form = aTradeForm()
    await owner.ask(calls.addTrade, { body: form })
    const again = { ...form, vin: ` ${form.vin.toLowerCase()} ` }
    expect(await codeOf(owner.send(calls.addTrade, { body: again }))).toEqual([409, 'TradeAlreadyAdded'])
    await stranger.ask(calls.addTrade, { body: form })
  })

  test('twenty times at once it is one trade', async () => {
    const form = aTradeForm()
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => owner.send(calls.addTrade, { body: form })),
    )
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(sent.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  test('a zip code of a number gets its zero back', async () => {
    expect((await aTrade(owner, { zipCode: 2139 })).zipCode).toBe('02139')
  })

  test('every fault is told under its field', async () => {
    const sent = await owner.send(calls.addTrade, {
      body: { ...aTradeForm(), mileage: 0, zipCode: 0, year: new Date().getFullYear() + 3, vin: 'O' },
    })
    expect(sent.status).toBe(400)
    expect(sent.refusal.errors?.map(({ path }) => path)).toEqual(['vin', 'mileage', 'zipCode'])
    const tooNew = aTradeForm({ year: new Date().getFullYear() + 3 })
    expect((await owner.send(calls.addTrade, { body: tooNew })).refusal.errors).toEqual([
      { path: 'year', message: 'Invalid year.' },
    ])
  })

  test('nobody adds one for somebody else, and wholesalers add none', async () => {
    const forOwner = { ...aTradeForm(), buyerId: owner.id }
    expect(await codeOf(stranger.send(calls.addTrade, { body: forOwner }))).toEqual([404, 'NotFound'])
    expect(await codeOf(wholesaler.send(calls.addTrade, { body: aTradeForm() }))).toEqual([403, 'Forbidden'])
    const newcomer = await aNewcomer(house, 'BUYER')
    expect(await codeOf(newcomer.send(calls.addTrade, { body: aTradeForm() }))).toEqual([
      403,
      'EmailNotVerified',
    ])
    expect(await codeOf(house.browser().send(calls.addTrade, { body: aTradeForm() }))).toEqual([
      401,
      'InvalidAccessToken',
    ])
  })

  test('one intent is one trade, and its answer is replayed', async () => {
    const key = { 'idempotency-key': 'add-once' }
    const body = aTradeForm()
    const first = await owner.send(calls.addTrade, { body }, key)
    const second = await owner.send(calls.addTrade, { body }, key)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toBe(first.body)
  })

  test('approved wholesalers are told by mail, without a word about the owner', async () => {
    const reader = await aWholesaler(house)
    await aTrade(owner, { make: 'Mailed' })
    const [mail] = await mailsTo(house, reader.email)
    expect(mail?.subject).toBe('A new trade request: 2013 Mailed F-150 XLT')
    for (const secret of [owner.firstName, owner.lastName, owner.email, owner.phoneNumber])
      expect(mail?.text).not.toContain(secret)
  })
})

describe('PATCH /trades/:tradeId', () => {
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

  test('an acceptance of another price than the stored one changes nothing', async () => {
    const trade = await aTradeAt('OFFERED', people)
    const sent = await move(owner, trade, { status: 'ACCEPTED', price: 25_000 })
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StaleVersion'])
    expect(sent.refusal.current).toMatchObject({ status: 'OFFERED', price: 20_000, salesTax: 600 })
  })

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
    expect((await mailsTo(house, another.email)).some(({ subject }) => subject.includes('counter'))).toBe(
      false,
    )
  })
})

describe('an offer stands for seven days', () => {
  /** As if it had come about that long ago: sessions of today would not live to see the day after next. */
  async function agedTrade(status: TradeStatus, ago: string): Promise<calls.Trade> {
    await house.moveClock(ago)
    try {
      return await aTradeAt(status, people)
    } finally {
      await house.moveClock('0 days')
    }
  }

  test('a minute before they are over, it can be accepted', async () => {
    const trade = await agedTrade('OFFERED', '-167 hours -59 minutes')
    expect((await move(owner, trade, { status: 'ACCEPTED', version: trade.version })).status).toBe(200)
  })

  test.each([true, false])('afterwards it is OfferExpired, the version named: %s', async (named) => {
    const trade = await agedTrade('OFFERED', '-168 hours')
    const wish = { status: 'ACCEPTED', ...(named ? { version: trade.version } : {}) }
    const sent = await move(owner, trade, wish)
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'OfferExpired'])
    expect(sent.refusal.current).toMatchObject({
      status: 'PENDING',
      price: null,
      salesTax: null,
      active: false,
    })
    expect(await codeOf(move(owner, trade, wish))).toEqual([409, 'OfferExpired'])
    const history = await owner.ask(calls.tradeHistory, { params: { tradeId: trade._id } })
    expect(history.at(-1)).toMatchObject({ actor: 'CLOCK', event: 'expire', status: 'PENDING', price: null })
    expect(history.at(-1)?.name).toBeUndefined()
  })

  test('whoever looks first sees a request without a price, and may offer again', async () => {
    const trade = await agedTrade('OFFERED', '-8 days')
    const list = await another.ask(calls.allTrades, { query: { status: 'PENDING', limit: 200 } })
    expect(list.find(({ _id }) => _id === trade._id)).toMatchObject({ price: null, active: false })
    const offer = await move(another, trade, { status: 'OFFERED', price: 19_000 })
    expect(offer.answer).toMatchObject({ status: 'OFFERED', price: 1_900_000 })
    expect((await move(owner, trade, { status: 'ACCEPTED' })).status).toBe(200)
  })

  test('a counter and an accepted trade do not run out', async () => {
    const ids = [await agedTrade('OFFER', '-30 days'), await agedTrade('ACCEPTED', '-30 days')].map(
      ({ _id }) => _id,
    )
    const list = await owner.ask(calls.tradesOfUser, { params: { userId: owner.id } })
    expect(ids.map((id) => list.find(({ _id }) => _id === id)?.status)).toEqual(['OFFER', 'ACCEPTED'])
  })

  test('the clock looks by itself when an offer is over', async () => {
    const trade = await agedTrade('OFFERED', '-168 hours')
    expect(await doDueJobs(house.deps, tradeJobs(house.deps))).toBeGreaterThan(0)
    expect((await eventsOf(trade._id)).at(-1)?.event).toBe('expire')
  })

  test('a thousand that run out at once are taken back at once, each with its line', async () => {
    const trade = await agedTrade('OFFERED', '-8 days')
    await house.query(
      `insert into trades (id, owner_id, vin, make, model, year, trim, mileage, color, zip_code, payoff, status, price_cents,
         tax_credit_cents, tax_rate, offer_expires_at)
       select lpad(to_hex(n), 24, '0'), $1, 'DUE' || n, 'Ford', 'F', 2013, 'X', 1, 'Blue', '48201', false, 'OFFERED', 100, 6, '0.06',
         now() - interval '1 hour' from generate_series(1, 1000) n`,
      [stranger.id],
    )
    expect(await settleOffers(house.deps.db)).toBe(1001)
    expect(await settleOffers(house.deps.db)).toBe(0)
    const [counts] = await house.query(
      `select count(*)::int as trades, count(distinct trade_id)::int as lines from trades join trade_events on trade_id = trades.id
       where vin like 'DUE%' and trades.status = 'PENDING' and event = 'expire' and actor = 'CLOCK' and trade_events.version = trades.version`,
    )
    expect(counts).toEqual({ trades: 1000, lines: 1000 })
    expect((await eventsOf(trade._id)).at(-1)?.event).toBe('expire')
    await house.query("update trades set deleted_at = now() where vin like 'DUE%'")
  })
})

describe('lists', () => {
  test('a person reads their own, a stranger nothing, wholesalers and the administrator all', async () => {
    const own = await aBuyer(house, { firstName: 'Lise', lastName: 'Listed' })
    const first = await aTrade(own)
    const second = await aTrade(own)
    const at: Wire = { params: { userId: own.id } }
    const mine = await own.ask(calls.tradesOfUser, at)
    expect(mine.map(({ _id }) => _id)).toEqual([second._id, first._id])
    expect(mine[0]?.buyer).toBeUndefined()
    expect(await codeOf(stranger.send(calls.tradesOfUser, at))).toEqual([404, 'NotFound'])
    for (const who of [wholesaler, administrator])
      expect((await who.ask(calls.tradesOfUser, at))[0]?.buyer).toEqual({
        firstName: 'Lise',
        lastName: 'Listed',
        email: own.email,
        phoneNumber: own.phoneNumber,
      })
  })

  test('all trades are for approved wholesalers and the administrator', async () => {
    for (const who of [owner, seller, await anUnapprovedWholesaler(house)])
      expect(await codeOf(who.send(calls.allTrades))).toEqual([403, 'Forbidden'])
    expect(await codeOf(house.browser().send(calls.allTrades))).toEqual([401, 'InvalidAccessToken'])
    for (const who of [wholesaler, administrator]) expect((await who.send(calls.allTrades)).status).toBe(200)
  })

  test('newest first, by status, page by page, each trade once', async () => {
    for (const status of tradeStatuses) await aTradeAt(status, people)
    const all: calls.Trade[] = []
    let query: Wire['query'] = { limit: 7 }
    for (;;) {
      const sent: Sent<typeof calls.allTrades> = await wholesaler.send(calls.allTrades, { query })
      all.push(...sent.answer)
      const link: string | undefined = /^<\/trades\?(.+)>; rel="next"$/.exec(
        String(sent.headers.link ?? ''),
      )?.[1]
      if (!link) break
      expect(sent.answer).toHaveLength(7)
      query = Object.fromEntries(new URLSearchParams(link))
      expect(query.limit).toBe('7')
    }
    const [{ count } = { count: 0 }] = await house.query<{ count: number }>(
      'select count(*)::int from trades where deleted_at is null',
    )
    expect(all).toHaveLength(count)
    expect(new Set(all.map(({ _id }) => _id)).size).toBe(count)
    const times = all.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    for (const status of tradeStatuses) {
      const some = await wholesaler.ask(calls.allTrades, { query: { status, limit: 200 } })
      expect(some.map(({ _id }) => _id)).toEqual(
        all.filter((trade) => trade.status === status).map(({ _id }) => _id),
      )
    }
  })

  test.each<Record<string, string | number>>([
    { status: 'DELETED' },
    { limit: 0 },
    { limit: 201 },
    { cursor: 'nonsense' },
  ])('%j is refused', async (query) => {
    expect((await wholesaler.send(calls.allTrades, { query })).status).toBe(400)
  })

  test('how to reach an owner is shown while it is of use (decisions D13)', async () => {
    const contactOf = async (who: Browser, id: string) =>
      (await who.ask(calls.allTrades, { query: { limit: 200 } })).find(({ _id }) => _id === id)?.buyer?.email
    const trade = await aTradeAt('OFFERED', people)
    expect(await contactOf(wholesaler, trade._id)).toBe(owner.email)
    expect(await contactOf(another, trade._id)).toBe(owner.email)
    await move(owner, trade, { status: 'ACCEPTED' })
    expect(await contactOf(wholesaler, trade._id)).toBe(owner.email)
    expect(await contactOf(another, trade._id)).toBeNull()
    expect(await contactOf(administrator, trade._id)).toBe(owner.email)
    const rejected = await aTradeAt('REJECTED', people)
    expect(await contactOf(wholesaler, rejected._id)).toBeNull()
  })

  test('available are the accepted ones, with the name of the model as it is called there', async () => {
    const own = await aBuyer(house)
    const trade = await aTradeAt('ACCEPTED', { owner: own, wholesaler })
    await aTradeAt('OFFERED', { owner: own, wholesaler })
    const at: Wire = { params: { userId: own.id } }
    expect(await own.ask(calls.availableTrades, at)).toEqual([
      { _id: trade._id, vin: trade.vin, year: 2013, make: 'Ford', model: 'F-150', price: 2_000_000 },
    ])
    expect(await codeOf(stranger.send(calls.availableTrades, at))).toEqual([404, 'NotFound'])
  })
})

describe('GET /trades/:tradeId/history', () => {
  test('everyone concerned reads the same story, and nobody else any', async () => {
    const trade = await aTrade(owner)
    await move(wholesaler, trade, { status: 'OFFERED', price: 20_000 })
    await move(owner, trade, { status: 'OFFER', price: 21_500 })
    await move(owner, trade, { status: 'REJECTED' })
    await move(administrator, trade, { status: 'PENDING' })
    const at: Wire = { params: { tradeId: trade._id } }
    const story = await owner.ask(calls.tradeHistory, at)
    expect(
      story.map(({ actor, name, event, status, price, salesTax }) => [
        actor,
        name,
        event,
        status,
        price,
        salesTax,
      ]),
    ).toEqual([
      ['OWNER', 'Olive Owner', 'submit', 'PENDING', null, null],
      ['WHOLESALER', 'Wes Holt', 'offer', 'OFFERED', 2_000_000, 60_000],
      ['OWNER', 'Olive Owner', 'counter', 'OFFER', 2_150_000, 60_000],
      ['OWNER', 'Olive Owner', 'forfeit', 'REJECTED', 2_150_000, 60_000],
      ['ADMIN', undefined, 'reset', 'PENDING', null, null],
    ])
    for (const who of [wholesaler, another, administrator])
      expect(await who.ask(calls.tradeHistory, at)).toEqual(story)
    expect(await codeOf(stranger.send(calls.tradeHistory, at))).toEqual([404, 'NotFound'])
  })

  test('its rows are never changed', async () => {
    const trade = await aTrade(owner)
    for (const sql of [
      'update trade_events set price_cents = 1 where trade_id = $1',
      'delete from trade_events where trade_id = $1',
    ])
      await expect(house.query(sql, [trade._id])).rejects.toThrow('never changed')
  })
})

describe('DELETE /trades/:vin', () => {
  const remove = (who: Browser, vin: string, more: Wire = {}) =>
    who.send(calls.deleteTrade, { params: { vin }, ...more })

  test.each(tradeStatuses)(
    'the owner deletes a %s one; for everyone it is gone, and it can be added anew',
    async (status) => {
      const trade = await aTradeAt(status, people)
      expect((await remove(owner, trade.vin.toLowerCase())).status).toBe(200)
      expect(await codeOf(remove(owner, trade.vin))).toEqual([404, 'NotFound'])
      for (const who of [owner, wholesaler, administrator])
        expect((await move(who, trade, { status: 'OFFERED', price: 5 })).status).toBe(404)
      expect((await eventsOf(trade._id)).at(-1)?.event).toBe('delete')
      await aTrade(owner, { vin: trade.vin })
    },
  )

  test('somebody else’s VIN is nobody’s', async () => {
    const trade = await aTrade(owner)
    expect(await codeOf(remove(stranger, trade.vin))).toEqual([404, 'NotFound'])
    expect(await codeOf(remove(wholesaler, trade.vin))).toEqual([403, 'Forbidden'])
  })

  test.each(['query', 'body'])('an old version in the %s is refused', async (where) => {
    const trade = await aTrade(owner)
    await move(wholesaler, trade, { status: 'OFFERED', price: 20_000 })
    const sent = await remove(owner, trade.vin, { [where]: { version: trade.version } })
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StaleVersion'])
    expect(sent.refusal.current).toMatchObject({ status: 'OFFERED' })
  })
})

describe('GET /tax', () => {
  const tax = (zipCode: string, basePrice: string | number) =>
    owner.send(calls.lookUpTax, { query: { zipCode, basePrice } })

  test.each([
    ['48201', 20_000, 'MI', '0.06', 600, 20_600],
    ['90210', 20_000, 'CA', '0.0725', 0, 20_000],
    ['10001', 20_000.55, 'NY', '0.04', 800.02, 20_800.57],
    ['2139', 100, 'MA', '0.0625', 6.25, 106.25],
    ['97201', 5_000, 'OR', '0', 0, 5_000],
    ['00901', 5_000, 'PR', 'Unavailable', 0, 5_000],
  ])('%s with %d dollars', async (zip, price, state, rate, credit, total) => {
    const [line] = JSON.parse((await tax(zip, price)).body)
    expect(line).toMatchObject({ zip_code: zip.padStart(5, '0'), state, state_rate: rate, credit, total })
  })

  test('an unknown zip code', async () => {
    for (const zip of ['00000', '0', '00001']) expect(await codeOf(tax(zip, 5))).toEqual([422, 'UnknownZip'])
  })

  test('what is no zip code and no price', async () => {
    expect((await tax('http://169.254.169.254', '1e9')).refusal.errors?.map(({ path }) => path)).toEqual([
      'zipCode',
      'basePrice',
    ])
  })

  test('only for who is signed in', async () => {
    const sent = house.browser().send(calls.lookUpTax, { query: { zipCode: '48201', basePrice: 5 } })
    expect(await codeOf(sent)).toEqual([401, 'InvalidAccessToken'])
  })
})

describe('one browser, two sessions', () => {
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
})

describe('trades in a purchase', () => {
  /** A buyer before the request for a car of 5,000 dollars, with an accepted trade. */
  async function aPurchase() {
    const [buyer, from] = [await aBuyer(house), await aSeller(house)]
    const trade = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler }, { message: 'Call me.' })
    const { vin } = await from.ask(addCar, { body: { ...aTradeForm(), price: 5_000 } })
    const at = { userId: from.id, vin }
    await buyer.ask(startProgress, { body: at })
    const step = (who: Browser, userType: string, data: object) =>
      who.ask(updateProgress, { body: { ...at, data: { userType, ...data } } })
    await step(buyer, 'BUYER', { step: [0, 1], hasTrade: true })
    await step(buyer, 'BUYER', { step: [0, 1, 2, 3], tradeVins: [trade.vin] })
    await step(buyer, 'BUYER', { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
    const ask = { vin, price: 4_800, buyerId: buyer.id, trades: [trade.vin] }
    const progress = await buyer.ask(requestCar, { body: ask })
    return { buyer, seller: from, trade, at, car: progress, step }
  }
  const attached = (id: string) => house.query('select 1 from deal_trades where trade_id = $1', [id])
  const available = (buyer: { id: string } & Browser, vin?: string) =>
    buyer.ask(calls.availableTrades, { params: { userId: buyer.id }, query: vin ? { vin } : {} })

  test('what is in a request is available to that request alone', async () => {
    const { buyer, trade, at } = await aPurchase()
    expect(await available(buyer)).toEqual([])
    expect((await available(buyer, at.vin)).map(({ _id }) => _id)).toEqual([trade._id])
    expect(await available(buyer, aTradeForm().vin)).toEqual([])
  })

  test('signed by the buyer alone, it stays with its signature or goes and voids it', async () => {
    const { buyer, trade, at, step } = await aPurchase()
    const signed = { agreementSigned: true, buyerSigned: true, buyerSignedName: 'B', buyerSignature: 'B' }
    expect((await step(buyer, 'BUYER', { step: [0, 1, 2, 3, 4, 5, 6, 7], ...signed })).buyerSigned).toBe(true)
    const sent = await buyer.send(calls.deleteTrade, { params: { vin: trade.vin } })
    const stays = sent.status === 409 && sent.refusal.errorCode === 'DealInProgress'
    expect(stays || sent.status === 200).toBe(true)
    expect(await attached(trade._id)).toHaveLength(stays ? 1 : 0)
    expect((await buyer.ask(getProgress, { params: at })).buyerSigned).toBe(stays)
  })

  test('unsigned and pending, it is taken out', async () => {
    const { buyer, trade } = await aPurchase()
    await buyer.ask(calls.deleteTrade, { params: { vin: trade.vin } })
    expect(await attached(trade._id)).toEqual([])
    expect(await buyer.ask(calls.tradesOfUser, { params: { userId: buyer.id } })).toEqual([])
  })

  test('while the deal is accepted it stays', async () => {
    const { buyer, seller: from, trade, at } = await aPurchase()
    await from.ask(decideBuyer, { body: { ...at, buyerId: buyer.id, status: 'ACCEPTED' } })
    const sent = await buyer.send(calls.deleteTrade, { params: { vin: trade.vin } })
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'DealInProgress'])
    expect(await attached(trade._id)).toHaveLength(1)
    expect((await eventsOf(trade._id)).at(-1)?.event).toBe('accept')
  })

  test('with an account its trades go, and what was written with them', async () => {
    const { buyer, trade } = await aPurchase()
    await buyer.ask(deleteUser, { params: { userType: 'BUYER', id: buyer.id } })
    expect(await codeOf(wholesaler.send(calls.tradeHistory, { params: { tradeId: trade._id } }))).toEqual([
      404,
      'NotFound',
    ])
    expect(
      await house.query('select message, deleted_at is null as live from trades where id = $1', [trade._id]),
    ).toEqual([{ message: '', live: false }])
    expect((await eventsOf(trade._id)).at(-1)?.event).toBe('delete')
  })
})

test('a tax provider that is down blocks nothing', async () => {
  const other = await openHouse({ TAX_API_URL: 'http://127.0.0.1:9/salestax', TAX_API_KEY: 'secret' })
  const parties = { owner: await aBuyer(other), wholesaler: await aWholesaler(other) }
  const trade = await aTradeAt('OFFERED', parties)
  expect(trade).toMatchObject({ status: 'OFFERED', price: 2_000_000, salesTax: 0, taxRate: 'Error' })
  const [line] = await parties.owner.ask(calls.lookUpTax, { query: { zipCode: '48201', basePrice: 20_000 } })
  expect(line).toMatchObject({ state: 'MI', state_rate: 'Error', credit: 0, total: 2_000_000 })
})

test('twenty trades an hour are enough for anybody', async () => {
  const other = await openHouse({ RATE_LIMITS: 'on' })
  const own = await aBuyer(other)
  for (let count = 0; count < 20; count++) await aTrade(own)
  const sent = await own.send(calls.addTrade, { body: aTradeForm() })
  expect([sent.status, sent.refusal.errorCode]).toEqual([429, 'TooManyRequests'])
  expect(Number(sent.headers['retry-after'])).toBeGreaterThan(0)
})
