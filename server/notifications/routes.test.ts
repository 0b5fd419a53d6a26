import { cents } from '@keyturn/contract/kit/money.ts'
import {
  listNotifications,
  markAllRead,
  markRead,
  unreadCount,
} from '@keyturn/contract/notifications/calls.ts'
import { bellDepth, notificationTypes } from '@keyturn/contract/notifications/rules.ts'
import { notices } from '@keyturn/contract/notifications/texts.ts'
import { describe, expect, test } from 'vitest'
import { newId } from '../db/new-id.ts'
import { type Db, transaction } from '../db/open.ts'
import type { Sent, Wire } from '../test/browser.ts'
import { openHouse } from '../test/house.ts'
import {
  aBuyer,
  aNewcomer,
  anUnapprovedWholesaler,
  aSeller,
  aWholesaler,
  type TestPerson,
} from '../test/people.ts'
import { forgetPerson, tell } from './actions.ts'

const house = await openHouse()
const car = '2003 Honda Accord'
const price = cents(950_000)

type Happening = {
  says: { message: string; publicMessage: string }
  tell: (tx: Db, to: About) => Promise<void>
}
/** Whose it is, in whatever part of it, and whom it names. */
type About = { id: string; named?: string }
const aboutDeal = ({ id, named = id }: About, side: 'SELLER' | 'BUYER') => ({
  dealId: newId(),
  carId: newId(),
  vin: '1HGCM82633A004352',
  sellerId: side === 'SELLER' ? id : named,
  buyerId: side === 'BUYER' ? id : named,
})
const offer: Happening = {
  says: notices.tradeOffered({ car, price }),
  tell: (tx, { id }) =>
    tell(house.deps, tx, 'tradeOffered', {
      about: { tradeId: newId(), ownerId: id, offeredBy: null },
      facts: { car, price },
    }),
}
const request: Happening = {
  says: notices.requestReceived({ car, buyer: 'Ben Buyer', price }),
  tell: (tx, to) =>
    tell(house.deps, tx, 'requestReceived', {
      about: aboutDeal(to, 'SELLER'),
      facts: { car, buyer: 'Ben Buyer', price },
    }),
}
const newPrice: Happening = {
  says: notices.priceChanged({ car, from: null, to: price }),
  tell: (tx, to) =>
    tell(house.deps, tx, 'priceChanged', {
      about: aboutDeal(to, 'BUYER'),
      facts: { car, from: null, to: price },
    }),
}
const sellerSigned: Happening = {
  says: notices.sellerSigned({ car, seller: 'Sally Seller', until: null }),
  tell: (tx, to) =>
    tell(house.deps, tx, 'sellerSigned', {
      about: aboutDeal(to, 'BUYER'),
      facts: { car, seller: 'Sally Seller', until: null },
    }),
}
const buyerSigned: Happening = {
  says: notices.buyerSigned({ car, buyer: 'Ben Buyer', isLast: false }),
  tell: (tx, to) =>
    tell(house.deps, tx, 'buyerSigned', {
      about: aboutDeal(to, 'SELLER'),
      facts: { car, buyer: 'Ben Buyer', isLast: false },
    }),
}
const newTrade: Happening = {
  says: notices.tradeAdded({ car }),
  tell: (tx, { id }) =>
    tell(house.deps, tx, 'tradeAdded', {
      about: { tradeId: newId(), ownerId: id, offeredBy: null },
      facts: { car },
    }),
}
const ofEveryType = [offer, newPrice, sellerSigned, request, buyerSigned]

test('people see every type of what is addressed to them, newest first, and nothing of others (R-notifications-2)', async () => {
  const [buyer, other] = [await aBuyer(house), await aSeller(house)]
  await ring(buyer, ...ofEveryType)
  const seen = await buyer.ask(listNotifications)
  expect(seen.map((notice) => notice.type)).toEqual(notificationTypes.toReversed())
  expect(seen.map((notice) => notice.message)).toEqual(
    ofEveryType.map(({ says }) => says.message).toReversed(),
  )
  expect(seen.every((notice) => notice.recipientId === buyer.id && !notice.isRead)).toBe(true)
  expect(await other.ask(listNotifications)).toEqual([])
  expect(await other.ask(unreadCount)).toEqual({ count: 0 })
})

test('an approved wholesaler sees all but TRADE_OFFERED, without people and prices (R-notifications-3)', async () => {
  const [buyer, wholesaler] = [await aBuyer(house), await aWholesaler(house)]
  await ring(buyer, ...ofEveryType)
  const seen = (await wholesaler.ask(listNotifications)).slice(0, 4)
  expect(seen.map((notice) => notice.type)).toEqual(notificationTypes.slice(1).toReversed())
  expect(seen.map((notice) => notice.message).join()).not.toMatch(/\$|\d{3},|Ben|Sally/)
  expect(await wholesaler.ask(unreadCount)).toEqual({ count: 0 })
  expect(seen.map(({ isRead, counts, place }) => ({ isRead, counts, place }))).toEqual(
    Array(4).fill({ isRead: false, counts: false, place: null }),
  )
})

// R-notifications-16
test('a trade that waits counts for every approved wholesaler, and for nobody else', async () => {
  const [one, another] = [await aWholesaler(house), await aWholesaler(house)]
  const others = [await aBuyer(house), await anUnapprovedWholesaler(house)]
  await ring(await aBuyer(house), newTrade)
  for (const wholesaler of [one, another]) {
    expect(await wholesaler.ask(unreadCount)).toEqual({ count: 1 })
    const [notice] = await wholesaler.ask(listNotifications)
    expect(notice).toMatchObject({
      type: 'Buyer_Offer',
      message: 'A 2003 Honda Accord is waiting for an offer.',
      recipientId: wholesaler.id,
      counts: true,
      place: { kind: 'trade', side: 'WHOLESALER' },
    })
  }
  const [notice] = await one.ask(listNotifications)
  await one.ask(markRead, { params: { id: notice?._id ?? '' } })
  expect(await one.ask(unreadCount)).toEqual({ count: 0 })
  expect(await another.ask(unreadCount)).toEqual({ count: 1 })
  for (const other of others) expect(await other.ask(listNotifications)).toEqual([])
})

test('a wholesaler who waits for approval sees nothing of others', async () => {
  const waiting = await anUnapprovedWholesaler(house)
  await ring(await aBuyer(house), ...ofEveryType)
  expect(await waiting.ask(listNotifications)).toEqual([])
  expect(await waiting.ask(unreadCount)).toEqual({ count: 0 })
})

test('what happened before a wholesaler was approved is listed, but no news', async () => {
  const wholesaler = await aWholesaler(house)
  const earlier = (await wholesaler.ask(listNotifications, { query: { limit: 200 } })).length
  expect(earlier).toBeGreaterThan(0)
  expect(await wholesaler.ask(unreadCount)).toEqual({ count: 0 })
  await ring(await aBuyer(house), newTrade)
  expect((await wholesaler.ask(listNotifications)).map((notice) => notice.isRead).slice(0, 2)).toEqual([
    false,
    true,
  ])
  expect(await wholesaler.ask(unreadCount)).toEqual({ count: 1 })
})

test('each reader has a read state of their own (R-notifications-4)', async () => {
  const [seller, wholesaler] = [await aSeller(house), await aWholesaler(house)]
  await ring(seller, request)
  const [notice] = await seller.ask(listNotifications)
  const params = { id: notice?._id ?? '' }
  expect((await wholesaler.ask(markRead, { params })).isRead).toBe(true)
  expect(await wholesaler.ask(unreadCount)).toEqual({ count: 0 })
  expect(await seller.ask(unreadCount)).toEqual({ count: 1 })
})

test('reading takes the notice out of the count, and reading it again changes nothing', async () => {
  const buyer = await aBuyer(house)
  await ring(buyer, offer, request)
  const [notice] = await buyer.ask(listNotifications)
  const params = { id: notice?._id ?? '' }
  const read = await buyer.ask(markRead, { params })
  expect(read).toEqual({ ...notice, isRead: true, counts: false })
  expect(await buyer.ask(markRead, { params })).toEqual(read)
  expect(await buyer.ask(unreadCount)).toEqual({ count: 1 })
  expect((await buyer.ask(listNotifications)).map((each) => each.isRead)).toEqual([true, false])
})

// R-notifications-18
describe('Mark all read', () => {
  test('takes in what was seen; what comes meanwhile stays unread, and marking again changes nothing', async () => {
    const buyer = await aBuyer(house)
    await ring(buyer, offer, request, newPrice)
    const [newest] = await buyer.ask(listNotifications)
    await ring(buyer, sellerSigned)
    const body = { upTo: newest?._id ?? '' }
    expect(await buyer.ask(markAllRead, { body })).toEqual({ count: 1 })
    expect(await buyer.ask(markAllRead, { body })).toEqual({ count: 1 })
    expect(await buyer.ask(unreadCount)).toEqual({ count: 1 })
    const isRead = async () => (await buyer.ask(listNotifications)).map((notice) => notice.isRead)
    expect(await isRead()).toEqual([false, true, true, true])
    const [last] = await buyer.ask(listNotifications)
    expect(await buyer.ask(markAllRead, { body: { upTo: last?._id ?? '' } })).toEqual({ count: 0 })
    // A page that saw less does not take the mark back.
    expect(await buyer.ask(markAllRead, { body })).toEqual({ count: 0 })
    expect(await isRead()).toEqual([true, true, true, true])
  })

  test('is each reader’s own', async () => {
    const [one, another] = [await aWholesaler(house), await aWholesaler(house)]
    const buyer = await aBuyer(house)
    await ring(buyer, request, newTrade)
    const [newest] = await one.ask(listNotifications)
    expect(await one.ask(markAllRead, { body: { upTo: newest?._id ?? '' } })).toEqual({ count: 0 })
    expect(await another.ask(unreadCount)).toEqual({ count: 1 })
    expect(await buyer.ask(unreadCount)).toEqual({ count: 1 })
  })

  test('a stranger’s notice and none at all are the same 404', async () => {
    const [buyer, stranger] = [await aBuyer(house), await aBuyer(house)]
    await ring(buyer, offer)
    const [notice] = await buyer.ask(listNotifications)
    const foreign = await stranger.send(markAllRead, { body: { upTo: notice?._id ?? '' } })
    const none = await stranger.send(markAllRead, { body: { upTo: newId() } })
    expect([foreign.status, foreign.body]).toEqual([404, none.body])
    expect(await buyer.ask(unreadCount)).toEqual({ count: 1 })
  })
})

test("a stranger's notice and none at all are the same 404 (R-notifications-4)", async () => {
  const [buyer, stranger] = [await aBuyer(house), await aBuyer(house)]
  const wholesaler = await aWholesaler(house)
  await ring(buyer, offer)
  const [notice] = await buyer.ask(listNotifications)
  const foreign = await stranger.send(markRead, { params: { id: notice?._id ?? '' } })
  const none = await stranger.send(markRead, { params: { id: newId() } })
  expect([foreign.status, foreign.body]).toEqual([404, none.body])
  // An offer for a trade is none of the other wholesalers' business.
  expect((await wholesaler.send(markRead, { params: { id: notice?._id ?? '' } })).status).toBe(404)
  expect((await stranger.send(markRead, { params: { id: 'x' } })).refusal.errorCode).toBe('ValidationError')
  expect(await buyer.ask(unreadCount)).toEqual({ count: 1 })
})

test('a list is walked page by page, each notice once, also those of one moment', async () => {
  const seller = await aSeller(house)
  await transaction(house.deps.db, async (tx) => {
    for (const happening of ofEveryType) await happening.tell(tx, seller)
  })
  await ring(seller, request, request)
  const walked: string[] = []
  let next: string | undefined = '/notifications?limit=2'
  while (next && walked.length < 20) {
    const query: Record<string, string> = Object.fromEntries(new URL(next, 'http://page').searchParams)
    const page: Sent<typeof listNotifications> = await seller.send(listNotifications, { query })
    walked.push(...page.answer.map((notice) => notice._id))
    next = /^<(\/notifications\?[^>]+)>; rel="next"$/.exec(String(page.headers.link ?? ''))?.[1]
  }
  expect(walked).toEqual((await seller.ask(listNotifications)).map((notice) => notice._id))
  expect(new Set(walked).size).toBe(7)
})

test('a page that cannot be is refused', async () => {
  const buyer = await aBuyer(house)
  const unfit: Wire['query'][] = [
    { limit: 0 },
    { limit: 201 },
    { limit: 'x' },
    { cursor: 'nonsense' },
    { cursor: 'a'.repeat(300) },
  ]
  for (const query of unfit) expect((await buyer.send(listNotifications, { query })).status).toBe(400)
})

// R-notifications-8
test('a bell counts among the newest hundred', async () => {
  const seller = await aSeller(house)
  await transaction(house.deps.db, async (tx) => {
    for (let i = 0; i <= bellDepth; i++) await request.tell(tx, seller)
  })
  expect(await seller.ask(unreadCount)).toEqual({ count: bellDepth })
})

test('what is rolled back was never told (R-notifications-5)', async () => {
  const buyer = await aBuyer(house)
  const failed = transaction(house.deps.db, async (tx) => {
    await offer.tell(tx, buyer)
    throw new Error('changed its mind')
  })
  await expect(failed).rejects.toThrow('changed its mind')
  expect(await buyer.ask(listNotifications)).toEqual([])
})

test('what names a person who goes loses the name, and so does what was said to them; all else stays', async () => {
  const [goes, stays] = [await aBuyer(house), await aSeller(house)]
  await ring(goes, request)
  await ring(stays, request)
  await request.tell(house.deps.db, { id: stays.id, named: goes.id })
  await forgetPerson(house.deps.db, goes.id)
  const messages = async (person: TestPerson) =>
    (await person.ask(listNotifications)).map(({ message }) => message)
  expect(await messages(goes)).toEqual([request.says.publicMessage])
  expect(await messages(stays)).toEqual([request.says.publicMessage, request.says.message])
})

test('nobody reads unseen: signed out 401, unverified 403', async () => {
  const unverified = await aNewcomer(house, 'BUYER')
  for (const call of [listNotifications, unreadCount, markRead]) {
    const input = { params: { id: newId() } }
    expect((await house.browser().send(call, input)).refusal.errorCode).toBe('InvalidAccessToken')
    expect((await unverified.send(call, input)).refusal.errorCode).toBe('EmailNotVerified')
  }
})

/** One after another, each at its own moment. */
async function ring(person: TestPerson, ...all: Happening[]): Promise<void> {
  for (const happening of all) {
    await transaction(house.deps.db, (tx) => happening.tell(tx, person))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
