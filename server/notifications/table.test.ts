import * as calls from '@keyturn/contract/deals/calls.ts'
import { answerDeal } from '@keyturn/contract/deals/dealers/partner.ts'
import { readMessages, seeMessages, sendMessage } from '@keyturn/contract/deals/messages/calls.ts'
import { listNotifications, type Notification, unreadCount } from '@keyturn/contract/notifications/calls.ts'
import { type Audience, eventNames, linesFor } from '@keyturn/contract/notifications/events.ts'
import type { EventName } from '@keyturn/contract/notifications/facts.ts'
import { addDevice } from '@keyturn/contract/notifications/push.ts'
import { deleteTrade, type Trade } from '@keyturn/contract/trades/calls.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '../db/new-id.ts'
import { dealJobs } from '../deals/actions.ts'
import { doDueJobs, type Tasks } from '../jobs/jobs.ts'
import { aKey, aPartner } from '../test/dealers/partner.ts'
import {
  aRequest,
  aSaleAt,
  complete,
  confirm,
  offer,
  progressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import {
  aBuyer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  aWholesaler,
  type TestPerson,
} from '../test/people.ts'
import { aPushService, type TestSubscription } from '../test/push/push-service.ts'
import { aTrade, aTradeAt, move } from '../test/trades.ts'
import { tradeJobs } from '../trades/actions.ts'
import { pushJobs, tell } from './actions.ts'

// The table of events as a whole: each of them is made to happen by the calls that people make, and then every kind of
// person has in the database, in the bell and on their phone what the table says, and nobody else anything.

const key = aKey()
const house = await openHouse({
  DEALER_NAME: 'Keyturn Motors',
  DEALER_WEBHOOK_SECRET: key,
  PUSH_PRIVATE: 'allow',
  PUSH_HOSTS: '127.0.0.1',
})
const service = await aPushService(undefined, { stays: true })
afterAll(() => service.close())
const partner = aPartner(house.browser(), key)
const administrator = await anAdministrator(house)
const [bystander, seller, unapproved, follower] = await Promise.all([
  aBuyer(house),
  aSeller(house),
  anUnapprovedWholesaler(house),
  aWholesaler(house),
])
const bystanders = [bystander, seller, unapproved]

type People = Partial<Record<Audience, TestPerson>>
type Scene = {
  people: People
  happen: () => Promise<unknown>
  /** What the same act makes happen besides. */
  also?: EventName[]
}

const scenes: Record<EventName, () => Promise<Scene>> = {
  requestReceived: sale('started', ({ buyer, ...at }) => aRequest(at, buyer, 9000)),
  requestChanged: sale('requested', (at) => offer(at, 9100)),
  requestWithdrawn: sale('confirmed', withdraw),
  requestConfirmed: sale('requested', confirm),
  requestDenied: sale('requested', turnDown),
  requestReleased: sale('confirmed', turnDown),
  priceChanged: async () => {
    const at = await aSaleAt(house, 'requested')
    return { people: peopleOf(at), happen: () => reprice(at, 9900) }
  },
  carChanged: sale('requested', (at) =>
    at.seller.ask(calls.editCar, { body: { vin: at.car.vin, mileage: 92_000 } }),
  ),
  listingRemoved: sale('requested', ({ seller: by, car }) =>
    by.ask(calls.deleteCar, { params: { userType: 'SELLER', userId: by.id, vin: car.vin } }),
  ),
  buyerWrote: sale('requested', (at) => write(at, at.buyer)),
  sellerWrote: sale('requested', (at) => write(at, at.seller)),
  tradeInRemoved: async () => {
    const at = await aSaleAt(house, 'started')
    const trade = await aTradeAt('ACCEPTED', { owner: at.buyer, wholesaler: follower })
    await aRequest(at, at.buyer, 9000, [trade.vin])
    return {
      people: peopleOf(at),
      happen: () => at.buyer.ask(deleteTrade, { params: { vin: trade.vin } }),
    }
  },
  sellerSigned: sale('confirmed', signAsSeller),
  buyerSigned: sale('confirmed', signAsBuyer),
  holdEndsSoon: async () => {
    const at = await aged('-49 hours', () => aSaleAt(house, 'sellerSigned'))
    return { people: peopleOf(at), happen: doJobs }
  },
  holdEnded: async () => {
    const at = await aged('-73 hours', () => aQueueAt('sellerSigned'))
    return { people: peopleOf(at), happen: () => progressOf(at) }
  },
  bothSigned: async () => {
    const at = await aSaleAt(house, 'sellerSigned')
    return { people: peopleOf(at), happen: () => signAsBuyer(at), also: ['buyerSigned'] }
  },
  dealerAccepted: dealer({ step: 'accepted' }),
  documentNeeded: dealer({ step: 'needsDocument', document: 'The payoff letter' }, 'accepted'),
  appointmentMade: dealer(
    { step: 'appointment', place: '1 Main Street, Boston', time: '2026-11-25T15:00:00-05:00' },
    'accepted',
  ),
  sellerPaid: dealer({ step: 'paidSeller' }, 'accepted'),
  titleReceived: dealer({ step: 'titleReceived' }, 'accepted'),
  saleCompleted: sale('passed', (at) => complete(house, at)),
  saleCalledOff: dealer({ step: 'cancelled', reason: 'The title is not clean.' }),

  tradeAdded: async () => {
    const owner = await aBuyer(house)
    return { people: { OWNER: owner }, happen: () => aTrade(owner) }
  },
  tradeOffered: trade('PENDING', ({ of, OFFERER }) =>
    move(OFFERER, of, { status: 'OFFERED', price: 20_000 }),
  ),
  counterOffered: trade('OFFERED', ({ of, OWNER }) => move(OWNER, of, { status: 'OFFER', price: 21_500 })),
  offerAccepted: trade('OFFERED', ({ of, OWNER }) => move(OWNER, of, { status: 'ACCEPTED' })),
  offerRejected: trade('OFFERED', ({ of, OWNER }) => move(OWNER, of, { status: 'REJECTED' })),
  tradeReopened: trade('REJECTED', ({ of }) => move(administrator, of, { status: 'PENDING' })),
  offerEndsSoon: lateTrade('-145 hours', 'OFFERED'),
  offerEnded: lateTrade('-169 hours', 'OFFERED', 'tradeReopened'),

  // Nothing of these in the bell, which has said it before; `reminders.test.ts` reads the mails.
  requestUnanswered: late('-25 hours', 'requested', 'buyerUnsigned'),
  sellerUnsigned: late('-25 hours', 'confirmed', 'buyerUnsigned'),
  buyerUnsigned: late('-25 hours', 'confirmed', 'sellerUnsigned'),
  refusalUnanswered: async () => {
    const at = await aged('-25 hours', async () => {
      const sale = await aSaleAt(house, 'requested')
      await turnDown(sale)
      return sale
    })
    return { people: peopleOf(at), happen: doJobs }
  },
  offerUnanswered: lateTrade('-25 hours', 'OFFERED'),
  counterUnanswered: lateTrade('-25 hours', 'OFFER'),
  tradeUnanswered: lateTrade('-4 hours', 'PENDING'),
  dealUnanswered: late('-25 hours', 'passed'),

  // After three days of tries, which `deals/delivery/delivering.test.ts` waits for.
  deliveryParked: async () => ({
    people: {},
    happen: () =>
      tell(house.deps, house.deps.db, 'deliveryParked', {
        about: { passedDealId: null },
        facts: { dealer: 'Keyturn Motors', deliveryId: newId() },
      }),
  }),
}

// R-notifications-6, R-notifications-5, R-notifications-3, R-notifications-17
test.each(eventNames)('%s is told to whom the table names, once, and to nobody else', async (event) => {
  const { people, happen, also = [] } = await scenes[event]()
  const phones = await withPhones([...Object.values(people), ...bystanders, follower])
  const before = new Set((await rowsNow()).map(({ id }) => id))
  await happen()
  const rows = (await rowsNow()).filter(({ id }) => !before.has(id))
  const expected = [event, ...also].flatMap((name) =>
    linesFor(name).flatMap(({ audience, line }) => {
      if (line.bell === null) return []
      if (audience !== 'WHOLESALERS' && !people[audience]) throw new Error(`Nobody is the ${audience} here`)
      return [{ event: name, audience, type: line.bell, recipient_id: people[audience]?.id ?? null }]
    }),
  )
  expect(rows).toHaveLength(expected.length)
  expect(rows).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))))

  for (const person of new Set([...Object.values(people), ...bystanders, follower])) {
    const isWholesaler = person === follower || person === people.OFFERER
    const bell = (await person.ask(listNotifications, { query: { limit: 200 } })).filter(
      ({ _id }) => !before.has(_id),
    )
    const visible = rows.filter(
      (row) =>
        row.recipient_id === person.id ||
        (isWholesaler && row.type !== 'TRADE_OFFERED' && row.public_message !== ''),
    )
    expect(bell.map(({ _id }) => _id).sort()).toEqual(visible.map(({ id }) => id).sort())
    for (const notice of bell) expectNotice(notice, rows, person, event === 'bothSigned')
  }
  await expectPushes([event, ...also], people, phones, rows)
})

/** Everybody has a phone that is switched on, and nothing waits for any of them. */
async function withPhones(people: readonly TestPerson[]): Promise<Map<TestPerson, TestSubscription>> {
  await house.query('delete from push_devices')
  const { publicKey } = house.deps.config.push.key
  const phones = new Map([...new Set(people)].map((person) => [person, service.subscribe(publicKey)]))
  for (const [person, { endpoint, keys }] of phones) await person.ask(addDevice, { body: { endpoint, keys } })
  return phones
}

/** On each phone what the table has pushed to whom it belongs, and on the others nothing. */
async function expectPushes(
  names: readonly EventName[],
  people: People,
  phones: Map<TestPerson, TestSubscription>,
  rows: readonly Row[],
): Promise<void> {
  await doDueJobs(house.deps, pushJobs(house.deps))
  for (const [person, phone] of phones) {
    const lines = names.flatMap((name) =>
      linesFor(name).filter(({ audience, line }) => line.push && isTold(name, audience, person)),
    )
    const shown = phone.shown().map(({ message }) => message)
    expect(shown.map(({ rings }) => rings)).toEqual(lines.map(({ line }) => line.bell !== null))
    for (const { id, body, rings } of shown)
      if (rings) expect(rows.find((row) => row.id === id)?.message).toBe(body)
  }

  function isTold(name: EventName, audience: Audience, person: TestPerson): boolean {
    // The signature that completes the pair leaves nothing to do: that both have signed says it all.
    if (name === 'buyerSigned' && names.includes('bothSigned')) return false
    if (audience === 'WHOLESALERS') return person === follower || person === people.OFFERER
    // Of what happens to a car all hear whose request is pending, and nobody is its one buyer.
    const isOfCar = name === 'carChanged' || name === 'listingRemoved'
    return person === people[audience] || (isOfCar && audience === 'WAITING' && person === people.BUYER)
  }
}

function expectNotice(
  notice: Notification,
  rows: readonly Row[],
  person: TestPerson,
  completes: boolean,
): void {
  const row = rows.find(({ id }) => id === notice._id)
  const isTheirs = row?.recipient_id === person.id || row?.recipient_id === null
  expect(notice.message).toBe(isTheirs ? row?.message : row?.public_message)
  expect(notice.isRead).toBe(false)
  if (!isTheirs) {
    expect([notice.counts, notice.place]).toEqual([false, null])
    return
  }
  const line = linesFor(row?.event as EventName).find(({ audience }) => audience === row?.audience)?.line
  expect(notice.place?.kind).toBe(line?.leads)
  // The signature that completes the pair leaves nothing to do.
  expect(notice.counts).toBe(!completes)
}

/** Of each rule the notice that it takes out of the count, and every way in which it comes true. */
const endings: [
  event: EventName,
  to: Audience,
  because: string,
  scene: () => Promise<{ people: People; end: () => Promise<unknown> }>,
][] = [
  ['requestReceived', 'SELLER', 'it was confirmed', sold('requested', confirm)],
  ['requestReceived', 'SELLER', 'it was denied', sold('requested', turnDown)],
  ['requestReceived', 'SELLER', 'it was withdrawn', sold('requested', withdraw)],
  ['requestConfirmed', 'BUYER', 'the buyer has signed', sold('confirmed', signAsBuyer)],
  ['requestConfirmed', 'BUYER', 'the seller has released them', sold('confirmed', turnDown)],
  ['sellerSigned', 'BUYER', 'the buyer has signed', sold('sellerSigned', signAsBuyer)],
  ['sellerSigned', 'BUYER', 'the hold is over, and nobody has looked', sold('sellerSigned', hoursPass(73))],
  ['buyerSigned', 'SELLER', 'the seller has signed', sold('confirmed', signAsSeller, signAsBuyer)],
  [
    'requestConfirmed',
    'WAITING',
    'the car is free again',
    async () => {
      const at = await aQueueAt('confirmed')
      return { people: peopleOf(at), end: () => turnDown(at) }
    },
  ],
  [
    'priceChanged',
    'BUYER',
    'their request was confirmed at it',
    sold('requested', confirm, (at) => reprice(at, 9900)),
  ],
  [
    'buyerWrote',
    'SELLER',
    'the seller has been shown it',
    sold('requested', seeAll, (at) => write(at, at.buyer)),
  ],
  [
    'sellerWrote',
    'BUYER',
    'the request was withdrawn',
    sold('requested', withdraw, (at) => write(at, at.seller)),
  ],
  [
    'tradeOffered',
    'OWNER',
    'they accepted it',
    traded('OFFERED', ({ of, OWNER }) => move(OWNER, of, { status: 'ACCEPTED' })),
  ],
  ['tradeOffered', 'OWNER', 'it expired, though nobody has looked', traded('OFFERED', hoursPass(169))],
  [
    'tradeOffered',
    'OWNER',
    'they deleted the trade',
    traded('OFFERED', ({ of, OWNER }) => OWNER.ask(deleteTrade, { params: { vin: of.vin } })),
  ],
  [
    'counterOffered',
    'OFFERER',
    'the owner gave up',
    traded('OFFER', ({ of, OWNER }) => move(OWNER, of, { status: 'REJECTED' })),
  ],
  [
    'counterOffered',
    'OFFERER',
    'they offered again',
    traded('OFFER', ({ of, OFFERER }) => move(OFFERER, of, { status: 'OFFERED', price: 21_000 })),
  ],
]

// R-notifications-16
describe('what is done is unread no more', () => {
  test.each(endings)('%s to %s: %s', async (event, to, _because, scene) => {
    const { people, end } = await scene()
    const person = people[to]
    if (!person) throw new Error(`Nobody is the ${to} here`)
    const counted = async () => {
      const [row] = (await rowsNow()).filter(
        (each) => each.event === event && each.audience === to && each.recipient_id === person.id,
      )
      const listed = (await person.ask(listNotifications)).filter(({ counts }) => counts)
      expect(await person.ask(unreadCount)).toEqual({ count: listed.length })
      return listed.some(({ _id }) => _id === row?.id)
    }
    expect(await counted()).toBe(true)
    await end()
    expect(await counted()).toBe(false)
    await house.moveClock('0 hours')
  })

  test('of a request that was changed only the newest counts', async () => {
    const at = await aSaleAt(house, 'requested')
    await offer(at, 9100)
    await offer(at, 9200)
    expect(await at.seller.ask(unreadCount)).toEqual({ count: 1 })
  })

  test('a trade counts for every wholesaler as long as it waits, and again when its offer has ended', async () => {
    const [one, another] = [await aWholesaler(house), await aWholesaler(house)]
    const owner = await aBuyer(house)
    const [mine] = [await aTrade(owner), await aTrade(owner)]
    const counts = async () => [(await one.ask(unreadCount)).count, (await another.ask(unreadCount)).count]
    expect(await counts()).toEqual([2, 2])
    await move(one, mine, { status: 'OFFERED', price: 20_000 })
    expect(await counts()).toEqual([1, 1])
    await move(owner, mine, { status: 'REJECTED' })
    expect(await counts()).toEqual([1, 1])
    await move(administrator, mine, { status: 'PENDING' })
    expect(await counts()).toEqual([2, 2])
  })
})

type Row = {
  id: string
  event: EventName
  audience: Audience
  type: string
  recipient_id: string | null
  message: string
  public_message: string
  deal_id: string | null
}
const rowsNow = () => house.query<Row>('select * from notifications order by created_at desc, id desc')

/** What the clock says. */
const doJobs = () => {
  const all = dealJobs(house.deps)
  const some: Tasks = {}
  for (const name of ['settle-holds', 'remind-of-hold', 'remind-of-deal']) {
    if (!all[name]) throw new Error('a job has another name')
    some[name] = all[name]
  }
  return doDueJobs(house.deps, { ...tradeJobs(house.deps), ...some })
}

type Queue = Sale & { waiting?: TestPerson }
const peopleOf = ({ seller: SELLER, buyer: BUYER, waiting }: Queue): People => ({
  SELLER,
  BUYER,
  ...(waiting && { WAITING: waiting }),
})

/** A sale with a second buyer, who has asked for the same car. */
async function aQueueAt(stage: Exclude<SaleStage, 'completed'>): Promise<Queue> {
  const at = await aSaleAt(house, stage === 'started' ? 'started' : 'requested')
  const waiting = await aBuyer(house, { firstName: 'Wanda', lastName: 'Waits' })
  await aRequest(at, waiting, 9100)
  const steps: [to: SaleStage, step: (sale: Sale) => Promise<unknown>][] = [
    ['confirmed', confirm],
    ['sellerSigned', signAsSeller],
    ['passed', signAsBuyer],
  ]
  const last = steps.findIndex(([to]) => to === stage)
  for (const [, step] of steps.slice(0, last + 1)) await step(at)
  return { ...at, waiting }
}

function sale(
  stage: Exclude<SaleStage, 'completed'>,
  happen: (at: Queue) => Promise<unknown>,
): () => Promise<Scene> {
  return async () => {
    const at = await aQueueAt(stage)
    return { people: peopleOf(at), happen: () => happen(at) }
  }
}
/** `also`: of what the other side is reminded by the same look. */
function late(ago: string, stage: SaleStage, ...also: EventName[]): () => Promise<Scene> {
  return async () => {
    const people = peopleOf(await aged(ago, () => aSaleAt(house, stage)))
    return { people, happen: doJobs, also }
  }
}
function lateTrade(ago: string, status: Trade['status'], ...also: EventName[]): () => Promise<Scene> {
  return async () => {
    const people = await traders()
    const trade = { owner: people.OWNER, wholesaler: people.OFFERER }
    await aged(ago, () => aTradeAt(status, trade))
    return { people, happen: doJobs, also }
  }
}
function sold(
  stage: SaleStage,
  end: (at: Sale) => Promise<unknown>,
  before: (at: Sale) => Promise<unknown> = async () => {},
) {
  return async () => {
    const at = await aSaleAt(house, stage)
    await before(at)
    return { people: peopleOf(at), end: () => end(at) }
  }
}

function dealer(said: object, after?: 'accepted'): () => Promise<Scene> {
  return async () => {
    const at = await aSaleAt(house, 'passed')
    const pkgId = (await progressOf(at)).pkgId ?? ''
    const say = (what: object) => partner.send(answerDeal, { params: { pkgId }, body: { pkgId, ...what } })
    if (after) await say({ step: after })
    return { people: peopleOf(at), happen: () => say(said) }
  }
}

async function traders() {
  return { OWNER: await aBuyer(house), OFFERER: await aWholesaler(house) }
}
type Traders = Awaited<ReturnType<typeof traders>>
async function aTradeOf(status: Trade['status']) {
  const people = await traders()
  return { people, of: await aTradeAt(status, { owner: people.OWNER, wholesaler: people.OFFERER }) }
}
function trade(
  status: Trade['status'],
  happen: (at: Traders & { of: Trade }) => Promise<unknown>,
): () => Promise<Scene> {
  return async () => {
    const { people, of } = await aTradeOf(status)
    return { people, happen: () => happen({ ...people, of }) }
  }
}
function traded(status: Trade['status'], end: (at: Traders & { of: Trade }) => Promise<unknown>) {
  return async () => {
    const { people, of } = await aTradeOf(status)
    return { people, end: () => end({ ...people, of }) }
  }
}

function withdraw({ buyer, car }: Sale) {
  return buyer.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: buyer.id, vin: car.vin } })
}
const write = async (at: Sale, by: TestPerson) => {
  const params = { dealId: (await progressOf(at))._id }
  return by.ask(sendMessage, { params, body: { text: 'Is it still there?' } })
}
async function seeAll(at: Sale) {
  const params = { dealId: (await progressOf(at))._id }
  const [message] = (await at.seller.ask(readMessages, { params })).messages
  return at.seller.ask(seeMessages, { params, body: { upTo: message?._id ?? '' } })
}
const reprice = ({ seller: by, car }: Sale, newPrice: number) =>
  by.ask(calls.updatePrice, { params: { carId: car._id }, body: { newPrice } })

/** As if it had come about that long ago, between people who are still signed in. */
async function aged<T>(ago: string, come: () => Promise<T>): Promise<T> {
  await house.moveClock(ago)
  try {
    return await come()
  } finally {
    await house.moveClock('0 hours')
    await staySignedIn(24)
  }
}

/** Nobody looks meanwhile, and everybody stays signed in. */
function hoursPass(hours: number) {
  return async () => {
    await house.moveClock(`${hours} hours`)
    await staySignedIn(hours + 24)
  }
}

async function staySignedIn(hours: number): Promise<void> {
  for (const table of ['access_tokens', 'sessions'])
    await house.query(`update ${table} set expires_at = now() + interval '${hours} hours'`)
}
