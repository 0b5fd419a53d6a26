import {
  listNotifications,
  markAllRead,
  markRead,
  readUnreadCount,
} from '@keyturn/contract/notifications/endpoints.ts'
import type { EventFacts } from '@keyturn/contract/notifications/event-facts.ts'
import { bellDepth } from '@keyturn/contract/notifications/rules.ts'
import { notificationSentences } from '@keyturn/contract/notifications/texts.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { describe, expect, test } from 'vitest'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { eraseFromNotifications } from './erase-from-notifications.ts'
import { type NotifyInput, notify, notifyEach } from './notify.ts'

const server = await startTestServer()
const car = '2003 Honda Accord'
const price = cents(950_000)

type Happening = {
  says: { message: string; publicMessage?: string }
  tell: (tx: Db, to: About) => Promise<void>
}

/** The person whom a notification is addressed to, and the person whom it names. */
type About = { id: string; named?: string }
type Told = 'tradeOffered' | 'tradeAdded' | 'requestReceived' | 'priceChanged' | 'sellerSigned'

const aDeal = () => ({ dealId: newId(), carId: newId(), vin: '1HGCM82633A004352' })
const toOwner = ({ id }: About) => ({ tradeId: newId(), ownerId: id, offeredBy: null })
const toSeller = ({ id, named = id }: About) => ({ ...aDeal(), sellerId: id, buyerId: named })
const toBuyer = ({ id, named = id }: About) => ({ ...aDeal(), sellerId: named, buyerId: id })

function happening<Event extends Told>(
  event: Event,
  facts: EventFacts[Event],
  about: (to: About) => NotifyInput<Event>['about'],
): Happening {
  const says = notificationSentences[event] as (facts: EventFacts[Event]) => Happening['says']
  return {
    says: says(facts),
    tell: (tx, to) => notify(server.deps, tx, event, { about: about(to), facts } as NotifyInput<Event>),
  }
}

const offer = happening('tradeOffered', { car, price }, toOwner)
const request = happening('requestReceived', { car, buyer: 'Ben Buyer', price }, toSeller)
const newPrice = happening('priceChanged', { car, from: null, to: price, offer: price }, toBuyer)
const sellerSigned = happening('sellerSigned', { car, seller: 'Sally Seller', until: null }, toBuyer)
const newTrade = happening('tradeAdded', { car }, toOwner)

test('lists notifications that are older than a wholesaler’s approval as read', async () => {
  await storeNotifications(await aBuyer(server), newTrade)
  const wholesaler = await aWholesaler(server)
  expect(await wholesaler.ask(readUnreadCount)).toEqual({ count: 0 })
  await storeNotifications(await aBuyer(server), newTrade)
  const [news, old] = await wholesaler.ask(listNotifications)
  expect([news?.isRead, old?.isRead]).toEqual([false, true])
  expect(await wholesaler.ask(readUnreadCount)).toEqual({ count: 1 })
})

test('stores the read state separately for each reader (R-notifications-4)', async () => {
  const [one, another] = [await aWholesaler(server), await aWholesaler(server)]
  const buyer = await aBuyer(server)
  await storeNotifications(buyer, offer, newTrade)
  const [notice] = await one.ask(listNotifications)
  await one.ask(markRead, { params: { id: notice?._id ?? '' } })
  expect([await one.ask(readUnreadCount), await another.ask(readUnreadCount)]).toEqual([
    { count: 0 },
    { count: 1 },
  ])
  const [hidden] = await buyer.ask(listNotifications)
  expect((await one.send(markRead, { params: { id: hidden?._id ?? '' } })).status).toBe(404)
  expect(await buyer.ask(readUnreadCount)).toEqual({ count: 1 })
})

test('does not count a read notification, and allows marking it as read again', async () => {
  const buyer = await aBuyer(server)
  await storeNotifications(buyer, offer, request)
  const [notice] = await buyer.ask(listNotifications)
  const params = { id: notice?._id ?? '' }
  const read = await buyer.ask(markRead, { params })
  expect(read).toEqual({ ...notice, isRead: true, counts: false })
  expect(await buyer.ask(markRead, { params })).toEqual(read)
  expect(await buyer.ask(readUnreadCount)).toEqual({ count: 1 })
  expect((await buyer.ask(listNotifications)).map((each) => each.isRead)).toEqual([true, false])
})

// R-notifications-3
test('tells a wholesaler of one event once, however many people it is addressed to', async () => {
  const wholesaler = await aWholesaler(server)
  const [one, another] = [await aBuyer(server), await aBuyer(server)]
  const about = { ...aDeal(), sellerId: newId() }
  await notifyEach(
    server.deps,
    server.deps.db,
    'priceChanged',
    [one, another].map(({ id }) => ({
      about: { ...about, dealId: newId(), buyerId: id },
      facts: { car, from: null, to: price, offer: price },
    })),
  )
  expect(
    (await wholesaler.ask(listNotifications)).filter(({ type }) => type === 'PRICE_UPDATED'),
  ).toHaveLength(1)
  for (const buyer of [one, another]) expect(await buyer.ask(readUnreadCount)).toEqual({ count: 1 })
})

// R-notifications-16
test('lists only what is addressed to a wholesaler when they ask for their own', async () => {
  const wholesaler = await aWholesaler(server)
  await storeNotifications(await aBuyer(server), request)
  const about = { tradeId: newId(), ownerId: newId(), offeredBy: wholesaler.id }
  await notify(server.deps, server.deps.db, 'tradeUsed', { about, facts: { car, price } })
  await storeNotifications(await aBuyer(server), newTrade)
  const own = await wholesaler.ask(listNotifications, { query: { own: 'true' } })
  expect(own.map(({ message }) => message)).toEqual([notificationSentences.tradeUsed({ car, price }).message])
  expect((await wholesaler.ask(listNotifications)).length).toBeGreaterThan(2)
})

// R-notifications-18
describe('Mark all read', () => {
  test('marks what was seen, leaves newer notifications unread, and can be repeated', async () => {
    const buyer = await aBuyer(server)
    await storeNotifications(buyer, offer, request, newPrice)
    const [newest] = await buyer.ask(listNotifications)
    await storeNotifications(buyer, sellerSigned)
    const body = { upTo: newest?._id ?? '' }
    expect(await buyer.ask(markAllRead, { body })).toEqual({ count: 1 })
    expect(await buyer.ask(markAllRead, { body })).toEqual({ count: 1 })
    expect(await buyer.ask(readUnreadCount)).toEqual({ count: 1 })
    const isRead = async () => (await buyer.ask(listNotifications)).map((notice) => notice.isRead)
    expect(await isRead()).toEqual([false, true, true, true])
    const [last] = await buyer.ask(listNotifications)
    expect(await buyer.ask(markAllRead, { body: { upTo: last?._id ?? '' } })).toEqual({ count: 0 })
    // A page with an older list does not move the read position back.
    expect(await buyer.ask(markAllRead, { body })).toEqual({ count: 0 })
    expect(await isRead()).toEqual([true, true, true, true])
  })

  test('is separate for each reader', async () => {
    const [one, another] = [await aWholesaler(server), await aWholesaler(server)]
    const buyer = await aBuyer(server)
    await storeNotifications(buyer, request, newTrade)
    const [newest] = await one.ask(listNotifications)
    expect(await one.ask(markAllRead, { body: { upTo: newest?._id ?? '' } })).toEqual({ count: 0 })
    expect(await another.ask(readUnreadCount)).toEqual({ count: 1 })
    expect(await buyer.ask(readUnreadCount)).toEqual({ count: 1 })
  })
})

// R-notifications-8
test('counts only among the newest hundred', async () => {
  const seller = await aSeller(server)
  await transaction(server.deps.db, async (tx) => {
    for (let i = 0; i <= bellDepth; i++) await request.tell(tx, seller)
  })
  expect(await seller.ask(readUnreadCount)).toEqual({ count: bellDepth })
})

test('notifies nobody when the transaction is rolled back (R-notifications-5)', async () => {
  const buyer = await aBuyer(server)
  const failed = transaction(server.deps.db, async (tx) => {
    await offer.tell(tx, buyer)
    throw new Error('changed its mind')
  })
  await expect(failed).rejects.toThrow('changed its mind')
  expect(await buyer.ask(listNotifications)).toEqual([])
})

test('removes a deleted person’s name from notifications about and to that person', async () => {
  const [goes, stays] = [await aBuyer(server), await aSeller(server)]
  await storeNotifications(goes, request)
  await storeNotifications(stays, request)
  await request.tell(server.deps.db, { id: stays.id, named: goes.id })
  await eraseFromNotifications(server.deps.db, goes.id)
  const messages = async (person: TestPerson) =>
    (await person.ask(listNotifications)).map(({ message }) => message)
  expect(await messages(goes)).toEqual([request.says.publicMessage])
  expect(await messages(stays)).toEqual([request.says.publicMessage, request.says.message])
  // A message between the two has no sentence without the name.
  await notify(server.deps, server.deps.db, 'buyerWrote', {
    about: toSeller({ id: stays.id, named: goes.id }),
    facts: { car, buyer: 'Ben Buyer', text: 'Hello' },
  })
  await eraseFromNotifications(server.deps.db, goes.id)
  expect(await messages(stays)).toEqual([request.says.publicMessage, request.says.message])
})

/** Stores them one after another, each at a different time. */
async function storeNotifications(person: TestPerson, ...all: Happening[]): Promise<void> {
  for (const happening of all) {
    await transaction(server.deps.db, (tx) => happening.tell(tx, person))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
