// @module-tag full

import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { expect, onTestFinished, test } from 'vitest'
import { aKey, aPartner } from '../../../tests/support/dealers/partner.ts'
import { clockJobs } from '../../../tests/support/jobs/clock-jobs.ts'
import { aPostOffice } from '../../../tests/support/jobs/post-office.ts'
import {
  aBuyer,
  anUnapprovedWholesaler,
  aWholesaler,
  type TestPerson,
} from '../../../tests/support/people.ts'
import {
  aRequest,
  aSaleAt,
  confirm,
  offer,
  progressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { aReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, move } from '../../../tests/support/trades.ts'
import { doDueJobs } from '../../platform/jobs/jobs.ts'
import { findResolved } from './actions.ts'

const key = aKey()
const admin = { id: '', email: 'admin@keyturn.example' }
const house = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  ADMIN_EMAIL: admin.email,
  DEALER_NAME: 'Keyturn Motors',
  DEALER_WEBHOOK_SECRET: key,
})
const partner = aPartner(house.browser(), key)

/** Matches reminders and no other email. */
const reminding =
  /waiting for your (answer|signature)|Your signature is missing|Do you still want|still waiting for an offer|has not answered/

const reminders = [
  'requestUnanswered',
  'sellerUnsigned',
  'buyerUnsigned',
  'refusalUnanswered',
  'dealUnanswered',
]

type Reader = { email: string }

/** What people are reminded of, as the clock goes on from now. */
async function aWatch() {
  const receiver = await aReceiver()
  const post = aPostOffice(house, receiver.url, { findDone: findResolved })
  onTestFinished(async () => {
    await house.moveClock('0')
    await house.query('delete from jobs')
    await house.query('delete from mails')
  })
  const subjects = ({ email }: Reader) =>
    receiver.received.flatMap(({ to, subject }) => (to === email && reminding.test(subject) ? subject : []))
  const goTo = async (hours: number, minutes = 0) => {
    await house.moveClock(`${hours} hours ${minutes} minutes`)
    for (const table of ['access_tokens', 'sessions'])
      await house.query(`update ${table} set expires_at = keyturn_now() + interval '1 day'`)
    await house.query('update sessions set signed_in_at = keyturn_now()')
  }
  const look = () => doDueJobs(house.deps, clockJobs(house))
  /** What was written leaves. */
  const leaveAt = async (hours: number) => {
    await goTo(hours, 3)
    await post()
  }
  return {
    goTo,
    look,
    subjects,
    post: leaveAt,
    /** How many reminders this person has got when it is so late. */
    async by(hours: number, person: Reader): Promise<number> {
      await goTo(hours)
      await look()
      await leaveAt(hours)
      return subjects(person).length
    },
  }
}

const aDealWhere = (stage: SaleStage) => aSaleAt(house, stage)
type Queue = Sale & { waiting: TestPerson; admin: Reader }
type Act = (at: Queue) => Promise<unknown>

/** A sale at this stage, and others who have to do with it. */
async function aQueueAt(stage: SaleStage, before?: Act): Promise<Queue> {
  const at = { ...(await aDealWhere(stage)), waiting: await aBuyer(house), admin }
  await before?.(at)
  return at
}
async function aTradeBetween(status: 'OFFERED' | 'OFFER') {
  const people = { owner: await aBuyer(house), wholesaler: await aWholesaler(house) }
  await aTradeAt(status, people)
  return people
}

/** By the real clock, which the dealer's own goes by. */
async function answerNow(sale: Sale) {
  await house.moveClock('0')
  const pkgId = (await progressOf(sale)).pkgId ?? ''
  const body = { pkgId, step: 'accepted' }
  expect((await partner.send(answerDeal, { params: { pkgId }, body })).status).toBeLessThan(300)
}

const hours = [23, 25, 71, 73, 167, 169, 400]
const untilSilence = [0, 1, 1, 2, 2, 3, 3]

const personOf = (stage: SaleStage, who: 'seller' | 'buyer', before?: Act) => async () =>
  (await aQueueAt(stage, before))[who]

// R-notifications-28
test.each<[name: string, scene: () => Promise<Reader>, subject: RegExp, counts?: number[]]>([
  [
    'a seller with a request',
    personOf('requested', 'seller'),
    /^\S+ \S+ is waiting for your answer about your /,
  ],
  [
    'a buyer who has asked and not signed',
    personOf('requested', 'buyer'),
    /^Your signature is missing for the /,
  ],
  ['a seller who has to sign', personOf('confirmed', 'seller'), /waiting for your signature for your \d{4} /],
  ['a confirmed buyer', personOf('confirmed', 'buyer'), /waiting for your signature for the \d{4} /],
  // Then come the letters of the 72 hours.
  [
    'a buyer for whom the car is held',
    personOf('sellerSigned', 'buyer'),
    /waiting for your signature for the \d{4} /,
    [0, 1, 1, 1, 1, 1, 1],
  ],
  [
    'a seller whom the buyer’s signature waits for',
    personOf('confirmed', 'seller', signAsBuyer),
    /waiting for your signature for your \d{4} /,
  ],
  [
    'a buyer whose request was denied',
    personOf('requested', 'buyer', turnDown),
    /^Do you still want the \d{4} /,
  ],
  // It ends after seven days, with a letter of its own the day before and then.
  [
    'an owner with an offer',
    async () => (await aTradeBetween('OFFERED')).owner,
    /^The offer of \$[\d,]+ for your \d{4} .* is waiting for your answer$/,
    [0, 1, 1, 2, 2, 2, 2],
  ],
  [
    'a wholesaler with a counter offer',
    async () => (await aTradeBetween('OFFER')).wholesaler,
    /^The counter offer for the \d{4} .* is waiting for your answer$/,
  ],
])(
  '%s is reminded after 24 hours, 3 days and 7 days, once each, and then no more',
  async (_name, scene, subject, counts = untilSilence) => {
    const watch = await aWatch()
    const person = await scene()
    const got: number[] = []
    for (const hour of hours) got.push(await watch.by(hour, person))
    expect(got).toEqual(counts)
    for (const each of watch.subjects(person)) expect(each).toMatch(subject)
  },
)

const endings: [
  name: string,
  stage: SaleStage,
  who: 'seller' | 'buyer' | 'waiting' | 'admin',
  does: Act,
  before?: Act,
][] = [
  ['the seller has confirmed the request', 'requested', 'seller', confirm],
  ['a buyer who was denied has asked again', 'requested', 'buyer', (at) => offer(at, 9200), turnDown],
  ['a buyer has signed before the seller has answered', 'requested', 'buyer', signAsBuyer],
  [
    'the car is promised to another buyer, and this one waits',
    'requested',
    'waiting',
    confirm,
    (at) => aRequest(at, at.waiting, 9100),
  ],
  ['a seller has signed before the buyer has', 'confirmed', 'seller', signAsSeller],
  ['the dealer has answered', 'passed', 'admin', answerNow],
]

// R-notifications-24
test.each(endings)(
  'a reminder that is written does not leave once %s',
  async (_, stage, who, does, before) => {
    const watch = await aWatch()
    const at = await aQueueAt(stage, before)
    await watch.goTo(25)
    await watch.look()
    const written = () =>
      house.query('select from mails where recipient = $1 and event = any($2)', [at[who].email, reminders])
    expect(await written()).toHaveLength(1)
    await does(at)
    await watch.post(25)
    // Neither by itself nor in another mail.
    expect(await written()).toEqual([])
  },
)

// R-notifications-28
test('restarts the reminders on a new offer', async () => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  await watch.goTo(20)
  await offer(at, 9100)
  expect(await watch.by(25, at.seller)).toBe(0)
  expect(await watch.by(45, at.seller)).toBe(1)
  await turnDown(at)
  expect(await watch.by(69, at.seller)).toBe(1)
})

// R-notifications-28
test('sends one reminder after a four-day outage, and the next on day seven', async () => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  expect(await watch.by(96, at.seller)).toBe(1)
  expect(await watch.by(167, at.seller)).toBe(1)
  expect(await watch.by(169, at.seller)).toBe(2)
})

// R-notifications-28
test('after a standstill nobody is reminded within 36 hours of an end that has letters of its own', async () => {
  const watch = await aWatch()
  const held = await aDealWhere('sellerSigned')
  expect(await watch.by(40, held.buyer)).toBe(0)
  await house.moveClock('0')
  const { owner } = await aTradeBetween('OFFERED')
  expect(await watch.by(140, owner)).toBe(0)
})

// R-notifications-28
test.each<[name: string, twice: (run: () => Promise<unknown>) => Promise<unknown>]>([
  ['by two processes at once', (run) => Promise.all([run(), run()])],
  ['again, because its end was not marked before a kill', async (run) => [await run(), await run()]],
])('a look that is done twice, %s, reminds once', async (_name, twice) => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  await watch.goTo(25)
  const [job] = await house.query<{ payload: Record<string, unknown> }>(
    `select payload from jobs where name = 'remind-of-deal'`,
  )
  const task = clockJobs(house)['remind-of-deal']
  const { signal } = new AbortController()
  await twice(async () => task?.run(job?.payload ?? {}, { attempts: 1, stopping: signal }))
  // Two would leave as one mail.
  expect(
    await house.query(`select 1 from mails where kind = 'reminders' and user_id = '${at.seller.id}'`),
  ).toHaveLength(1)
  await watch.post(25)
  expect(watch.subjects(at.seller)).toHaveLength(1)
  expect(await watch.by(73, at.seller)).toBe(2)
})

// R-notifications-28
test('a request for a car that is promised to another buyer waits with its reminders until the car is free again', async () => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  const waiting = await aBuyer(house)

  await aRequest(at, waiting, 9100)
  await confirm(at)
  expect(await watch.by(25, waiting)).toBe(0)
  await turnDown(at)
  expect(await watch.by(50, waiting)).toBe(1)
})

// R-notifications-29
test('notifies all approved wholesalers once of a trade without an offer after three hours', async () => {
  const watch = await aWatch()
  const [one, other, unapproved] = [
    await aWholesaler(house),
    await aWholesaler(house),
    await anUnapprovedWholesaler(house),
  ]
  const owner = await aBuyer(house)
  const [, offered] = [await aTrade(owner), await aTrade(owner)]
  await move(one, offered, { status: 'OFFERED', price: 20_000 })
  expect(await watch.by(2, one)).toBe(0)
  for (const hour of [4, 30, 200]) {
    expect(await watch.by(hour, one)).toBe(1)
    expect(await watch.by(hour, other)).toBe(1)
  }
  expect(watch.subjects(one)).toEqual([expect.stringMatching(/still waiting for an offer$/)])
  expect(await watch.by(200, unapproved)).toBe(0)
})

// R-notifications-29
test('notifies the administrator once of a signed deal unanswered for a day', async () => {
  const watch = await aWatch()
  await aDealWhere('passed')
  const [answered, parked] = [await aDealWhere('passed'), await aDealWhere('passed')]
  await answerNow(answered)
  // After all tries: the administrator was told then.
  const parking = await house.query(
    `update deliveries set state = 'PARKED', tries = 1, ended_at = now() where kind = 'deal.passed'
      and deal_id = (select id from deals where buyer_id = $1) returning id`,
    [parked.buyer.id],
  )
  expect(parking).toHaveLength(1)
  expect(await watch.by(23, admin)).toBe(0)
  expect(await watch.by(25, admin)).toBe(1)
  expect(await watch.by(200, admin)).toBe(1)
  expect(watch.subjects(admin)).toEqual([
    expect.stringMatching(/^Keyturn Motors has not answered the deal for the /),
  ])
})
