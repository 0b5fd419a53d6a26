// @module-tag full

import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createDealerClient, createDealerKey } from '../../../tests/support/dealers/dealer-client.ts'
import { clockTasks } from '../../../tests/support/jobs/clock-tasks.ts'
import { createEmailSender } from '../../../tests/support/jobs/mail-server.ts'
import {
  aBuyer,
  anUnapprovedWholesaler,
  aWholesaler,
  readEmailsTo,
  type TestPerson,
} from '../../../tests/support/people.ts'
import {
  aRequest,
  aSaleAt,
  confirmBuyer,
  offerPrice,
  readProgressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, sendTradeMove } from '../../../tests/support/trades.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { findResolvedEmails } from './sent-notifications.ts'

const key = createDealerKey()
const admin = { id: '', email: 'admin@keyturn.example' }
const server = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  ADMIN_EMAIL: admin.email,
  DEALER_NAME: 'Keyturn Motors',
  DEALER_WEBHOOK_SECRET: key,
})

const partner = createDealerClient(server.browser(), key)

/** Matches subjects of reminders only. */
const reminding =
  /waiting for your answer|Please sign the agreement|You still need to sign|Do you still want|still waiting for an offer|has not responded/

const reminders = [
  'requestUnanswered',
  'sellerUnsigned',
  'buyerUnsigned',
  'refusalUnanswered',
  'dealUnanswered',
]

type Reader = { email: string }

/** Advances the clock and collects the reminders that are sent. */
async function aWatch() {
  const receiver = await startSmtpReceiver()
  const post = createEmailSender(server, receiver.url, { findObsolete: findResolvedEmails })
  onTestFinished(async () => {
    await server.moveClock('0')
    await server.query('delete from jobs')
    await server.query('delete from mails')
  })
  const subjects = ({ email }: Reader) =>
    receiver.received.flatMap(({ to, subject }) => (to === email && reminding.test(subject) ? subject : []))
  const goTo = async (hours: number, minutes = 0) => {
    await server.moveClock(`${hours} hours ${minutes} minutes`)
    for (const table of ['access_tokens', 'sessions'])
      await server.query(`update ${table} set expires_at = keyturn_now() + interval '1 day'`)
    await server.query('update sessions set signed_in_at = keyturn_now()')
  }
  const look = () => runDueJobs(server.deps, clockTasks(server))
  /** Moves the clock and sends the queued emails. */
  const leaveAt = async (hours: number) => {
    await goTo(hours, 3)
    await post()
  }
  return {
    goTo,
    look,
    subjects,
    post: leaveAt,
    /** Counts the reminders of this person after this many hours. */
    async by(hours: number, person: Reader): Promise<number> {
      await goTo(hours)
      await look()
      await leaveAt(hours)
      return subjects(person).length
    },
  }
}

const aDealWhere = (stage: SaleStage) => aSaleAt(server, stage)
type Queue = Sale & { waiting: TestPerson; admin: Reader }
type Act = (at: Queue) => Promise<unknown>

/** A sale at this stage, with a second buyer and the administrator. */
async function aQueueAt(stage: SaleStage, before?: Act): Promise<Queue> {
  const at = { ...(await aDealWhere(stage)), waiting: await aBuyer(server), admin }
  await before?.(at)
  return at
}

async function aTradeBetween(status: 'OFFERED' | 'OFFER') {
  const people = { owner: await aBuyer(server), wholesaler: await aWholesaler(server) }
  await aTradeAt(status, people)
  return people
}

/** Uses the real clock, like the dealer's system. */
async function answerNow(sale: Sale) {
  await server.moveClock('0')
  const pkgId = (await readProgressOf(sale)).pkgId ?? ''
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
    /^You still need to sign the agreement for the /,
  ],
  ['a seller who has to sign', personOf('confirmed', 'seller'), /^Please sign the agreement for your \d{4} /],
  ['a confirmed buyer', personOf('confirmed', 'buyer'), /^Please sign the agreement for the \d{4} /],
  // Only one reminder: after the first day, the emails about the 72-hour hold are sent instead.
  [
    'a buyer for whom the car is held',
    personOf('sellerSigned', 'buyer'),
    /^Please sign the agreement for the \d{4} /,
    [0, 1, 1, 1, 1, 1, 1],
  ],
  [
    'a seller whom the buyer’s signature waits for',
    personOf('confirmed', 'seller', signAsBuyer),
    /^Please sign the agreement for your \d{4} /,
  ],
  [
    'a buyer whose request was denied',
    personOf('requested', 'buyer', turnDown),
    /^Do you still want the \d{4} /,
  ],
  // The offer ends after seven days, with separate emails on the day before and at the end.
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
  ['the seller has confirmed the request', 'requested', 'seller', confirmBuyer],
  ['a buyer who was denied has asked again', 'requested', 'buyer', (at) => offerPrice(at, 9200), turnDown],
  ['a buyer has signed before the seller has answered', 'requested', 'buyer', signAsBuyer],
  [
    'the car is promised to another buyer, and this one waits',
    'requested',
    'waiting',
    confirmBuyer,
    (at) => aRequest(at, at.waiting, 9100),
  ],
  ['a seller has signed before the buyer has', 'confirmed', 'seller', signAsSeller],
  ['the dealer has answered', 'passed', 'admin', answerNow],
]

// R-notifications-24
test.each(endings)('does not send a queued reminder after %s', async (_, stage, who, does, before) => {
  const watch = await aWatch()
  const at = await aQueueAt(stage, before)
  await watch.goTo(25)
  await watch.look()
  const written = () =>
    server.query('select from mails where recipient = $1 and event = any($2)', [at[who].email, reminders])
  expect(await written()).toHaveLength(1)
  await does(at)
  await watch.post(25)
  // The reminder is sent neither separately nor as part of another email.
  expect(await written()).toEqual([])
})

// R-notifications-28
test('restarts the reminders after a new offer', async () => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  await watch.goTo(20)
  await offerPrice(at, 9100)
  expect(await watch.by(25, at.seller)).toBe(0)
  expect(await watch.by(45, at.seller)).toBe(1)
  await turnDown(at)
  expect(await watch.by(69, at.seller)).toBe(1)
})

// R-notifications-28
test('sends one reminder after an outage of four days, and the next on day seven', async () => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  expect(await watch.by(96, at.seller)).toBe(1)
  expect(await watch.by(167, at.seller)).toBe(1)
  expect(await watch.by(169, at.seller)).toBe(2)
})

// R-notifications-28
test('sends no reminder in the last 36 hours before a deadline, even after an outage', async () => {
  const watch = await aWatch()
  const held = await aDealWhere('sellerSigned')
  expect(await watch.by(40, held.buyer)).toBe(0)
  await server.moveClock('0')
  const { owner } = await aTradeBetween('OFFERED')
  expect(await watch.by(140, owner)).toBe(0)
})

// R-notifications-28
test.each<[name: string, twice: (run: () => Promise<unknown>) => Promise<unknown>]>([
  ['in two processes at once', (run) => Promise.all([run(), run()])],
  ['again after a kill before it was recorded', async (run) => [await run(), await run()]],
])('reminds once when the job runs twice: %s', async (_name, twice) => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  await watch.goTo(25)
  const [job] = await server.query<{ payload: Record<string, unknown> }>(
    `select payload from jobs where name = 'remind-of-deal'`,
  )
  const task = clockTasks(server)['remind-of-deal']
  const { signal } = new AbortController()
  await twice(async () => task?.run(job?.payload ?? {}, { attempts: 1, stopping: signal }))
  // Counts the queued rows, because two reminders would be combined into one email.
  expect(
    await server.query(`select 1 from mails where kind = 'reminders' and user_id = '${at.seller.id}'`),
  ).toHaveLength(1)
  await watch.post(25)
  expect(watch.subjects(at.seller)).toHaveLength(1)
  expect(await watch.by(73, at.seller)).toBe(2)
})

// R-notifications-28
test('delays reminders about a request while the car is reserved for another buyer', async () => {
  const watch = await aWatch()
  const at = await aDealWhere('requested')
  const waiting = await aBuyer(server)

  await aRequest(at, waiting, 9100)
  await confirmBuyer(at)
  expect(await watch.by(25, waiting)).toBe(0)
  await turnDown(at)
  expect(await watch.by(50, waiting)).toBe(1)
})

// R-notifications-29
test('notifies all approved wholesalers once of a trade that has had no offer for three hours', async () => {
  const watch = await aWatch()
  const [one, other, unapproved] = [
    await aWholesaler(server),
    await aWholesaler(server),
    await anUnapprovedWholesaler(server),
  ]
  const owner = await aBuyer(server)
  const [, offered] = [await aTrade(owner), await aTrade(owner)]
  await sendTradeMove(one, offered, { status: 'OFFERED', price: 20_000 })
  expect(await watch.by(2, one)).toBe(0)
  for (const hour of [4, 30, 200]) {
    expect(await watch.by(hour, one)).toBe(1)
    expect(await watch.by(hour, other)).toBe(1)
  }
  expect(watch.subjects(one)).toEqual([expect.stringMatching(/still waiting for an offer$/)])
  expect(await watch.by(200, unapproved)).toBe(0)
})

// R-notifications-29, R-trades-7
test('speaks of no promise for a trade that waits again because its offer was withdrawn', async () => {
  const watch = await aWatch()
  const wholesaler = await aWholesaler(server)
  const trade = await aTradeAt('OFFERED', { owner: await aBuyer(server), wholesaler })
  await sendTradeMove(wholesaler, trade, { status: 'PENDING' })
  await watch.goTo(4)
  await watch.look()
  const mail = (await readEmailsTo(server, wholesaler.email)).find(({ subject }) => reminding.test(subject))
  expect(mail?.text).toContain('open for offers again')
  expect(mail?.text).not.toContain('promised')
})

// R-notifications-29
test('notifies the administrator once of a signed deal that has been unanswered for a day', async () => {
  const watch = await aWatch()
  await aDealWhere('passed')
  const [answered, parked] = [await aDealWhere('passed'), await aDealWhere('passed')]
  await answerNow(answered)
  // Parks the delivery as after its last attempt, when the administrator is notified.
  const parking = await server.query(
    `update deliveries set state = 'PARKED', tries = 1, ended_at = now() where kind = 'deal.passed'
      and deal_id = (select id from deals where buyer_id = $1) returning id`,
    [parked.buyer.id],
  )
  expect(parking).toHaveLength(1)
  expect(await watch.by(23, admin)).toBe(0)
  expect(await watch.by(25, admin)).toBe(1)
  expect(await watch.by(200, admin)).toBe(1)
  expect(watch.subjects(admin)).toEqual([
    expect.stringMatching(/^Keyturn Motors has not responded to the deal for the /),
  ])
})
