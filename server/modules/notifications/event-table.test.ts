import * as carEndpoints from '@keyturn/contract/cars/endpoints.ts'
import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { findDealMove } from '@keyturn/contract/deals/rules.ts'
import { markMessagesSeen, readMessages, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import {
  listNotifications,
  type Notification,
  readUnreadCount,
} from '@keyturn/contract/notifications/endpoints.ts'
import type { EventName } from '@keyturn/contract/notifications/event-facts.ts'
import { type Audience, eventNames, recipientRules } from '@keyturn/contract/notifications/events.ts'
import { addDevice } from '@keyturn/contract/notifications/push.ts'
import { deleteTrade, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { possibleTradeMoves } from '@keyturn/contract/trades/rules.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createDealerClient, createDealerKey } from '../../../tests/support/dealers/dealer-client.ts'
import { clockTasks } from '../../../tests/support/jobs/clock-tasks.ts'
import {
  aBuyer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  aWholesaler,
  type TestPerson,
} from '../../../tests/support/people.ts'
import { startPushService, type TestSubscription } from '../../../tests/support/push/push-service.ts'
import { propose, tryToAnswerProposal } from '../../../tests/support/sales/deal-moves.ts'
import {
  aRequest,
  aSaleAt,
  completeSale,
  confirmBuyer,
  offerPrice,
  readProgressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { movesMentionedIn } from '../../../tests/support/sales/mentioned-moves.ts'
import { lift, suspend } from '../../../tests/support/sales/suspensions.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, sendTradeMove } from '../../../tests/support/trades.ts'
import { newId } from '../../platform/database/new-id.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { readDealView } from '../deals/deal-view-repository.ts'
import { toDealFacts } from '../deals/mappers.ts'
import { notify } from './notify.ts'
import { pushTasks } from './push/push-tasks.ts'

// Tests the whole table of events: each event is caused through the API. Then every kind of
// person has the notifications and pushes that the table names, and nobody else has any.

const key = createDealerKey()
const server = await startTestServer({
  DEALER_NAME: 'Keyturn Motors',
  DEALER_WEBHOOK_SECRET: key,
  PUSH_PRIVATE: 'allow',
  PUSH_HOSTS: '127.0.0.1',
})

const service = await startPushService(undefined, { stays: true })
afterAll(() => service.close())
const partner = createDealerClient(server.browser(), key)
const administrator = await anAdministrator(server)
const [bystander, seller, unapproved, follower, bystanding] = await Promise.all([
  aBuyer(server),
  aSeller(server),
  anUnapprovedWholesaler(server),
  aWholesaler(server),
  aWholesaler(server),
])
const bystanders = [bystander, seller, unapproved]

type People = Partial<Record<Audience, TestPerson>>
type Scene = {
  people: People
  happen: () => Promise<unknown>
  /** Further events of the same action. */
  also?: EventName[]
}

const scenes: Record<EventName, () => Promise<Scene>> = {
  requestReceived: sale('started', ({ buyer, ...at }) => aRequest(at, buyer, 9000)),
  requestChanged: sale('requested', (at) => offerPrice(at, 9100)),
  requestWithdrawn: sale('confirmed', withdraw),
  requestConfirmed: sale('requested', confirmBuyer),
  requestDenied: sale('requested', turnDown),
  requestReleased: sale('confirmed', turnDown),
  priceChanged: alone('requested', (at) => reprice(at, 9900)),
  priceProposed: alone('requested', (at) => propose(at, 9200)),
  proposalAccepted: alone('requested', (at) => tryToAnswerProposal(at, 9200, 'ACCEPTED'), proposed),
  proposalDeclined: alone('requested', (at) => tryToAnswerProposal(at, 9200, 'REJECTED'), proposed),
  carChanged: sale('requested', editMileage),
  listingRemoved: sale('requested', ({ seller: by, car }) =>
    by.ask(calls.deleteCar, { params: { userType: 'SELLER', userId: by.id, vin: car.vin } }),
  ),
  buyerWrote: sale('requested', (at) => write(at, at.buyer)),
  sellerWrote: sale('requested', (at) => write(at, at.seller)),
  tradeInRemoved: async () => {
    const at = await aSaleAt(server, 'started')
    const trade = await aTradeAt('ACCEPTED', { owner: at.buyer, wholesaler: follower })
    await aRequest(at, at.buyer, 9000, [trade.vin])
    return {
      people: { ...peopleOf(at), OFFERER: follower },
      happen: () => at.buyer.ask(deleteTrade, { params: { vin: trade.vin } }),
      also: ['tradeDeleted'],
    }
  },
  sellerSigned: sale('confirmed', signAsSeller),
  buyerSigned: sale('confirmed', signAsBuyer),
  holdEndsSoon: late('-49 hours', alone('sellerSigned', doJobs)),
  holdEnded: async () => {
    const at = await aged('-73 hours', () => aQueueAt('sellerSigned'))
    return { people: peopleOf(at), happen: () => readProgressOf(at) }
  },
  bothSigned: alone('sellerSigned', signAsBuyer, nothing, 'buyerSigned'),
  dealerAccepted: dealer({ step: 'accepted' }),
  documentNeeded: dealer({ step: 'needsDocument', document: 'The payoff letter' }, 'accepted'),
  appointmentMade: dealer(
    { step: 'appointment', place: '1 Main Street, Boston', time: '2026-11-25T15:00:00-05:00' },
    'accepted',
  ),
  sellerPaid: dealer({ step: 'paidSeller' }, 'accepted'),
  titleReceived: dealer({ step: 'titleReceived' }, 'accepted'),
  saleCompleted: sale('passed', (at) => completeSale(server, at)),
  saleCalledOff: dealer({ step: 'cancelled', reason: 'The title is not clean.' }),

  sellerSuspended: ofSuspension('BUYER', ({ seller }) => suspend(administrator, seller)),
  buyerSuspended: ofSuspension('SELLER', ({ buyer }) => suspend(administrator, buyer)),
  sellerRestored: ofSuspension(
    'BUYER',
    ({ seller }) => lift(administrator, seller),
    ({ seller }) => suspend(administrator, seller),
  ),
  buyerRestored: ofSuspension(
    'SELLER',
    ({ buyer }) => lift(administrator, buyer),
    ({ buyer }) => suspend(administrator, buyer),
  ),

  tradeAdded: async () => {
    const owner = await aBuyer(server)
    return { people: { OWNER: owner }, happen: () => aTrade(owner) }
  },
  tradeOffered: trade('PENDING', moves('OFFERER', 'OFFERED', 20_000)),
  counterOffered: trade('OFFERED', moves('OWNER', 'OFFER', 21_500)),
  offerAccepted: trade('OFFERED', moves('OWNER', 'ACCEPTED')),
  offerRejected: trade('OFFERED', moves('OWNER', 'REJECTED')),
  tradeDeleted: trade('ACCEPTED', ({ of, OWNER }) => OWNER.ask(deleteTrade, { params: { vin: of.vin } })),
  tradeUsed: async () => {
    const at = await aQueueAt('started')
    const OFFERER = await aWholesaler(server)
    const trade = await aTradeAt('ACCEPTED', { owner: at.buyer, wholesaler: OFFERER })
    await aRequest(at, at.buyer, 30_000, [trade.vin])
    for (const step of [confirmBuyer, signAsSeller, signAsBuyer]) await step(at)
    return {
      people: { ...peopleOf(at), OFFERER },
      happen: () => completeSale(server, at),
      also: ['saleCompleted'],
    }
  },
  tradeReopened: trade('REJECTED', ({ of }) => sendTradeMove(administrator, of, { status: 'PENDING' })),
  offerEndsSoon: late('-145 hours', trade('OFFERED', doJobs)),
  offerWithdrawn: trade('OFFERED', moves('OFFERER', 'PENDING'), ['tradeReopened']),
  offerEnded: late('-169 hours', trade('OFFERED', doJobs), 'tradeReopened'),

  // Reminders add nothing in the app; `reminders.test.ts` checks their emails.
  requestUnanswered: late('-25 hours', alone('requested', doJobs), 'buyerUnsigned'),
  proposalUnanswered: late('-25 hours', alone('requested', doJobs, proposed)),
  sellerUnsigned: late('-25 hours', alone('confirmed', doJobs), 'buyerUnsigned'),
  buyerUnsigned: late('-25 hours', alone('confirmed', doJobs), 'sellerUnsigned'),
  refusalUnanswered: late('-25 hours', alone('requested', doJobs, turnDown)),
  offerUnanswered: late('-25 hours', trade('OFFERED', doJobs)),
  counterUnanswered: late('-25 hours', trade('OFFER', doJobs)),
  tradeUnanswered: late('-4 hours', trade('PENDING', doJobs)),
  dealUnanswered: late('-25 hours', alone('passed', doJobs)),

  // `dealers/webhook-delivery/deliver-deal.test.ts` covers the three days of attempts before this
  // event.
  deliveryParked: async () => ({
    people: {},
    happen: () =>
      notify(server.deps, server.deps.db, 'deliveryParked', {
        about: { passedDealId: null },
        facts: { dealer: 'Keyturn Motors', deliveryId: newId() },
      }),
  }),
}

// R-notifications-6, R-notifications-5, R-notifications-3, R-notifications-17
test.each(eventNames)('notifies exactly the recipients of %s that the table names, once', async (event) => {
  const { people, happen, also = [] } = await scenes[event]()
  const phones = await withPhones([...Object.values(people), ...bystanders, follower])
  const before = new Set((await rowsNow()).map(({ id }) => id))
  await happen()
  const rows = (await rowsNow()).filter(({ id }) => !before.has(id))
  const expected = [event, ...also].flatMap((name) =>
    recipientRules(name).flatMap(({ audience, line }) => {
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
  const market = (await bystanding.ask(listNotifications, { query: { limit: 200 } })).filter(({ _id }) =>
    rows.some(({ id, recipient_id }) => id === _id && recipient_id !== null),
  )
  expect(market.length).toBeLessThanOrEqual(1 + also.length)
})

/** Moves on which the state of the deal and its other buyers decides, beside the scenes above. */
const furtherScenes: [name: string, scene: () => Promise<Scene>][] = [
  ...eventNames.map((event): [string, () => Promise<Scene>] => [event, scenes[event]]),
  ['the buyer signs before the seller has confirmed', alone('requested', signAsBuyer)],
  ['a waiting buyer signs', sale('confirmed', (at) => signAsBuyer(otherSale(at)))],
  ['a waiting buyer changes the price', sale('confirmed', (at) => offerPrice(otherSale(at), 9300))],
  ['a waiting buyer is denied', sale('confirmed', (at) => turnDown(otherSale(at)))],
  ['the seller confirms a buyer who has signed', alone('requested', confirmBuyer, signAsBuyer)],
  [
    'the seller changes the car after the hold has ended',
    async () => {
      const at = await aged('-73 hours', () => aSaleAt(server, 'sellerSigned'))
      await readProgressOf(at)
      return { people: peopleOf(at), happen: () => editMileage(at) }
    },
  ],
]

// R-notifications-30
test.each(furtherScenes)('asks for no move that is not open after %s', async (_, scene) => {
  const { happen } = await scene()
  const [before, mailedBefore] = [await rowsNow(), await mailsNow()]
  const isNew = (among: readonly { id: string }[]) => {
    const ids = new Set(among.map(({ id }) => id))
    return ({ id }: { id: string }) => !ids.has(id)
  }
  await happen()
  for (const { audience, message, deal_id, trade_id } of (await rowsNow()).filter(isNew(before)))
    await expectOpenMoves(message, audience, deal_id ?? trade_id)
  for (const { audience, text, thread } of (await mailsNow()).filter(isNew(mailedBefore)))
    await expectOpenMoves(text, audience, thread)
})

const mailsNow = () =>
  server.query<{ id: string; audience: Audience; text: string; thread: string | null }>(
    'select id, audience, text, thread from mails where event is not null',
  )

async function expectOpenMoves(text: string, audience: Audience, thread: string | null): Promise<void> {
  for (const asked of movesMentionedIn(text, audience)) {
    const because = `${audience} is asked to ${asked.move}: ${text}`
    if (asked.on === 'deal') {
      const view = await readDealView(server.deps.db, thread ?? '')
      const needsFreeCar = asked.move === 'confirm' || asked.move === 'request'
      expect(findDealMove(toDealFacts(view), asked.by, asked.move), because).not.toBeNull()
      expect(view.deal.withdrawnAt, because).toBeNull()
      if (needsFreeCar) expect(view.taken, because).toBe(false)
    } else {
      const [row] = await server.query<{ status: Trade['status'] }>(
        'select status from trades where id = $1 and deleted_at is null',
        [thread],
      )
      const open = row ? possibleTradeMoves(row.status, asked.by).map(({ name }) => name) : []
      expect(open, because).toContain(asked.move)
    }
  }
}

/** Gives everybody a device, and deletes pending pushes. */
async function withPhones(people: readonly TestPerson[]): Promise<Map<TestPerson, TestSubscription>> {
  await server.query('delete from push_devices')
  const { publicKey } = server.deps.config.push.key
  const phones = new Map([...new Set(people)].map((person) => [person, service.subscribe(publicKey)]))
  for (const [person, { endpoint, keys }] of phones) await person.ask(addDevice, { body: { endpoint, keys } })
  return phones
}

/** Expects on each device the pushes that the table names for its person, and no others. */
async function expectPushes(
  names: readonly EventName[],
  people: People,
  phones: Map<TestPerson, TestSubscription>,
  rows: readonly Row[],
): Promise<void> {
  await runDueJobs(server.deps, pushTasks(server.deps))
  for (const [person, phone] of phones) {
    const lines = names.flatMap((name) =>
      recipientRules(name).filter(({ audience, line }) => line.push && isTold(name, audience, person)),
    )
    const shown = phone.shown().map(({ message }) => message)
    expect(shown.map(({ rings }) => rings)).toEqual(lines.map(({ line }) => line.bell !== null))
    for (const { id, body, rings } of shown)
      if (rings) expect(rows.find((row) => row.id === id)?.message).toBe(body)
  }

  function isTold(name: EventName, audience: Audience, person: TestPerson): boolean {
    // After the second signature, the push about both signatures replaces the one about the
    // buyer's.
    if (name === 'buyerSigned' && names.includes('bothSigned')) return false
    if (audience === 'WHOLESALERS') return person === follower || person === people.OFFERER
    // A change of a car is pushed to all buyers with a pending request.
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
  const line = recipientRules(row?.event as EventName).find(
    ({ audience }) => audience === row?.audience,
  )?.line
  expect(notice.place?.kind).toBe(line?.target)
  // After the second signature nothing is left to do.
  expect(notice.counts).toBe(!completes)
}

/**
 * Every way in which a notification is resolved: its event, its reader, the reason, and the scene.
 */
const endings: [event: EventName, to: Audience, because: string, scene: () => Promise<Scene>][] = [
  ['requestReceived', 'SELLER', 'it was confirmed', alone('requested', confirmBuyer)],
  ['requestReceived', 'SELLER', 'it was denied', alone('requested', turnDown)],
  ['requestReceived', 'SELLER', 'it was withdrawn', alone('requested', withdraw)],
  ['requestConfirmed', 'BUYER', 'the buyer has signed', alone('confirmed', signAsBuyer)],
  ['requestConfirmed', 'BUYER', 'the seller has released them', alone('confirmed', turnDown)],
  ['sellerSigned', 'BUYER', 'the buyer has signed', alone('sellerSigned', signAsBuyer)],
  ['sellerSigned', 'BUYER', 'the hold is over, and nobody has looked', alone('sellerSigned', hoursPass(73))],
  ['buyerSigned', 'SELLER', 'the seller has signed', alone('confirmed', signAsSeller, signAsBuyer)],
  ['buyerSigned', 'SELLER', 'the seller has confirmed since', alone('requested', confirmBuyer, signAsBuyer)],
  [
    'requestConfirmed',
    'BUYER',
    'a buyer who had signed was released',
    alone('requested', turnDown, (at) => signAsBuyer(at).then(() => confirmBuyer(at))),
  ],
  ['requestDenied', 'BUYER', 'they asked again', alone('requested', (at) => offerPrice(at, 9100), turnDown)],
  ['requestReleased', 'BUYER', 'they withdrew', alone('confirmed', withdraw, turnDown)],
  ['requestReleased', 'WAITING', 'they were confirmed', freed((at) => confirmBuyer(otherSale(at)))],
  [
    'requestReleased',
    'INTERESTED',
    'another buyer was confirmed',
    freed((at) => confirmBuyer(otherSale(at))),
  ],
  ['requestConfirmed', 'WAITING', 'the car is free again', sale('confirmed', turnDown)],
  [
    'priceChanged',
    'BUYER',
    'they were confirmed',
    alone('requested', confirmBuyer, (at) => reprice(at, 9900)),
  ],
  ['priceProposed', 'BUYER', 'they were confirmed', alone('requested', confirmBuyer, proposed)],
  [
    'priceProposed',
    'BUYER',
    'they accepted it',
    alone('requested', (at) => tryToAnswerProposal(at, 9200, 'ACCEPTED'), proposed),
  ],
  [
    'priceProposed',
    'BUYER',
    'the seller took it back',
    alone('requested', (at) => propose(at, null), proposed),
  ],
  ['buyerWrote', 'SELLER', 'it was shown', alone('requested', seeAll, (at) => write(at, at.buyer))],
  ['sellerWrote', 'BUYER', 'it was withdrawn', alone('requested', withdraw, (at) => write(at, at.seller))],
  ['tradeOffered', 'OWNER', 'they accepted it', trade('OFFERED', moves('OWNER', 'ACCEPTED'))],
  ['tradeOffered', 'OWNER', 'it expired, though nobody has looked', trade('OFFERED', hoursPass(169))],
  [
    'tradeOffered',
    'OWNER',
    'they deleted the trade',
    trade('OFFERED', ({ of, OWNER }) => OWNER.ask(deleteTrade, { params: { vin: of.vin } })),
  ],
  ['counterOffered', 'OFFERER', 'the owner gave up', trade('OFFER', moves('OWNER', 'REJECTED'))],
  ['counterOffered', 'OFFERER', 'they offered again', trade('OFFER', moves('OFFERER', 'OFFERED', 21_000))],
]

// R-notifications-16
describe('does not count a resolved notification', () => {
  test.each(endings)('%s to %s: %s', async (event, to, _because, scene) => {
    const { people, happen } = await scene()
    const person = people[to]
    if (!person) throw new Error(`Nobody is the ${to} here`)
    const counted = async () => {
      const [row] = (await rowsNow()).filter(
        (each) => each.event === event && each.audience === to && each.recipient_id === person.id,
      )
      const listed = (await person.ask(listNotifications)).filter(({ counts }) => counts)
      expect(await person.ask(readUnreadCount)).toEqual({ count: listed.length })
      return listed.some(({ _id }) => _id === row?.id)
    }
    expect(await counted()).toBe(true)
    await happen()
    expect(await counted()).toBe(false)
    await server.moveClock('0 hours')
  })

  test('counts only the newest notification of a changed request', async () => {
    const at = await aSaleAt(server, 'requested')
    await offerPrice(at, 9100)
    await offerPrice(at, 9200)
    expect(await at.seller.ask(readUnreadCount)).toEqual({ count: 1 })
  })

  test('counts a trade for every wholesaler while it waits, and again after an offer for it has ended', async () => {
    const [one, another] = [await aWholesaler(server), await aWholesaler(server)]
    const owner = await aBuyer(server)
    const [mine] = [await aTrade(owner), await aTrade(owner)]
    const counts = async () => [
      (await one.ask(readUnreadCount)).count,
      (await another.ask(readUnreadCount)).count,
    ]
    expect(await counts()).toEqual([2, 2])
    await sendTradeMove(one, mine, { status: 'OFFERED', price: 20_000 })
    expect(await counts()).toEqual([1, 1])
    await sendTradeMove(owner, mine, { status: 'REJECTED' })
    expect(await counts()).toEqual([1, 1])
    await sendTradeMove(administrator, mine, { status: 'PENDING' })
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
  trade_id: string | null
}

const rowsNow = () => server.query<Row>('select * from notifications order by created_at desc, id desc')

function doJobs(): Promise<number> {
  return runDueJobs(server.deps, clockTasks(server))
}

type Queue = Sale & { waiting?: TestPerson; interested?: TestPerson }
const peopleOf = ({ seller: SELLER, buyer: BUYER, waiting, interested }: Queue): People => ({
  SELLER,
  BUYER,
  ...(waiting && { WAITING: waiting }),
  ...(interested && { INTERESTED: interested }),
})

/** The deal of the second buyer. */
const otherSale = (at: Queue): Sale => ({ ...at, buyer: at.waiting ?? at.buyer })

/** A sale with a second buyer who has a request for the same car, and a third who has only started. */
async function aQueueAt(stage: Exclude<SaleStage, 'completed'>): Promise<Queue> {
  const at = await aSaleAt(server, stage === 'started' ? 'started' : 'requested')
  const waiting = await aBuyer(server, { firstName: 'Wanda', lastName: 'Waits' })
  await aRequest(at, waiting, 9100)
  const interested = await aBuyer(server)
  await interested.ask(calls.startProgress, { body: at.at })
  const steps: [to: SaleStage, step: (sale: Sale) => Promise<unknown>][] = [
    ['confirmed', confirmBuyer],
    ['sellerSigned', signAsSeller],
    ['passed', signAsBuyer],
  ]
  const last = steps.findIndex(([to]) => to === stage)
  for (const [, step] of steps.slice(0, last + 1)) await step(at)
  return { ...at, waiting, interested }
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

/** A sale whose confirmed buyer was released. */
function freed(happen: (at: Queue) => Promise<unknown>): () => Promise<Scene> {
  return async () => {
    const at = await aQueueAt('confirmed')
    await turnDown(at)
    return { people: peopleOf(at), happen: () => happen(at) }
  }
}

/** A sale without other requests for the car. */
/** Only the other party: the suspended person has no session to read with. */
function ofSuspension(
  told: 'SELLER' | 'BUYER',
  happen: (at: Sale) => Promise<unknown>,
  before: (at: Sale) => Promise<unknown> = nothing,
): () => Promise<Scene> {
  return async () => {
    const at = await aSaleAt(server, 'confirmed')
    await before(at)
    return { people: { [told]: told === 'SELLER' ? at.seller : at.buyer }, happen: () => happen(at) }
  }
}
function alone(
  stage: SaleStage,
  happen: (at: Sale) => Promise<unknown>,
  before: (at: Sale) => Promise<unknown> = nothing,
  ...also: EventName[]
): () => Promise<Scene> {
  return async () => {
    const at = await aSaleAt(server, stage)
    await before(at)
    return { people: peopleOf(at), happen: () => happen(at), also }
  }
}

async function nothing() {}

function editMileage({ seller: by, car }: Sale) {
  return by.ask(carEndpoints.editCar, { body: { vin: car.vin, mileage: 92_000 } })
}

/** `also`: events that the other party is notified of by the same job. */
function late(ago: string, scene: () => Promise<Scene>, ...also: EventName[]): () => Promise<Scene> {
  return async () => ({ ...(await aged(ago, scene)), also })
}

function dealer(said: object, after?: 'accepted'): () => Promise<Scene> {
  return async () => {
    const at = await aQueueAt('passed')
    const pkgId = (await readProgressOf(at)).pkgId ?? ''
    const say = (what: object) => partner.send(answerDeal, { params: { pkgId }, body: { pkgId, ...what } })
    if (after) await say({ step: after })
    return { people: peopleOf(at), happen: () => say(said) }
  }
}

async function traders() {
  return { OWNER: await aBuyer(server), OFFERER: await aWholesaler(server) }
}

type Traders = Awaited<ReturnType<typeof traders>>
function moves(who: keyof Traders, status: Trade['status'], price?: number) {
  return ({ of, ...people }: Traders & { of: Trade }) => sendTradeMove(people[who], of, { status, price })
}

function trade(
  status: Trade['status'],
  happen: (at: Traders & { of: Trade }) => Promise<unknown>,
  also: EventName[] = [],
): () => Promise<Scene> {
  return async () => {
    const people = await traders()
    const of = await aTradeAt(status, { owner: people.OWNER, wholesaler: people.OFFERER })
    return { people, happen: () => happen({ ...people, of }), also }
  }
}

function withdraw({ buyer, car }: Sale) {
  return buyer.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: buyer.id, vin: car.vin } })
}

const write = async (at: Sale, by: TestPerson) => {
  const params = { dealId: (await readProgressOf(at))._id }
  return by.ask(sendMessage, { params, body: { text: 'Is it still there?' } })
}

async function seeAll(at: Sale) {
  const params = { dealId: (await readProgressOf(at))._id }
  const [message] = (await at.seller.ask(readMessages, { params })).messages
  return at.seller.ask(markMessagesSeen, { params, body: { upTo: message?._id ?? '' } })
}

function proposed(at: Sale) {
  return propose(at, 9200)
}
const reprice = ({ seller: by, car }: Sale, newPrice: number) =>
  by.ask(carEndpoints.updatePrice, { params: { carId: car._id }, body: { newPrice } })

/** Creates the scene in the past, with sessions that are still valid. */
async function aged<T>(ago: string, come: () => Promise<T>): Promise<T> {
  await server.moveClock(ago)
  try {
    return await come()
  } finally {
    await server.moveClock('0 hours')
    await staySignedIn(24)
  }
}

/** Advances the clock without running jobs; sessions stay valid. */
function hoursPass(hours: number) {
  return async () => {
    await server.moveClock(`${hours} hours`)
    await staySignedIn(hours + 24)
  }
}

async function staySignedIn(hours: number): Promise<void> {
  for (const table of ['access_tokens', 'sessions'])
    await server.query(`update ${table} set expires_at = now() + interval '${hours} hours'`)
}
