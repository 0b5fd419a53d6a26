import { readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { answerDeal, readPartnerAgreement, readPartnerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { addDealer } from '@keyturn/contract/dealers/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createDealerClient,
  createDealerKey,
  signDealerRequest,
} from '../../../../tests/support/dealers/dealer-client.ts'
import {
  aBuyer,
  anAdministrator,
  aSeller,
  aWholesaler,
  readEmailsTo,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import * as moves from '../../../../tests/support/sales/deal-moves.ts'
import {
  aRequest,
  aSaleAt,
  confirmBuyer,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { waitForLockWait } from '../../../../tests/support/second-session.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTradeAt, statusAndCode } from '../../../../tests/support/trades.ts'

const key = createDealerKey()
const server = await startTestServer({ DEALER_NAME: 'Keyturn Motors', DEALER_WEBHOOK_SECRET: key })
const partner = createDealerClient(server.browser(), key)

type Passed = Sale & { pkgId: string }
async function aPassedSale(): Promise<Passed> {
  const sale = await aSaleAt(server, 'passed')
  return { ...sale, pkgId: await moves.readPackageIdOf(sale) }
}

const report = ({ pkgId }: Pick<Passed, 'pkgId'>, step: object, how: object = {}, by = partner) =>
  by.send(answerDeal, { params: { pkgId }, body: { pkgId, ...step } }, how)
const completeAs = ({ pkgId }: Passed, body: object = { pkgId }) =>
  partner.send(calls.completeDeal, { params: { pkgId }, body })

const events = async (sale: Sale) => (await moves.readTimelineOf(sale)).map(({ event }) => event)
async function anotherDealer() {
  const other = createDealerKey()
  const body = { name: 'Other', webhookUrl: 'https://other.example/', webhookSecrets: other }
  const { _id } = await (await anAdministrator(server)).ask(addDealer, { body })
  return { _id, partner: createDealerClient(server.browser(), other) }
}

const accepted = { step: 'accepted' }
const appointment = { step: 'appointment', place: '1 Main Street, Boston', time: '2026-11-25T15:00:00-05:00' }

// R-deals-75
test('records each step from accepted to complete and shows it to both parties', async () => {
  const sale = await aPassedSale()
  const needed = { step: 'needsDocument', document: 'The lender’s payoff letter, please.' }
  for (const step of [accepted, needed, appointment, { step: 'paidSeller' }]) await report(sale, step)
  expect((await completeAs(sale)).status).toBe(200)
  const last = await report(sale, { step: 'titleReceived' })
  expect(last.answer).toMatchObject({ pkgId: sale.pkgId, completed: true, cancelled: false })
  for (const person of [sale.buyer, sale.seller]) {
    const progress = await person.ask(calls.getProgress, { params: sale.at })
    expect(progress).toMatchObject({ completed: true, status: 'COMPLETED' })
    expect(progress.dealerSteps.map(({ at, ...step }) => step)).toEqual([
      accepted,
      needed,
      appointment,
      { step: 'paidSeller' },
      { step: 'complete' },
      { step: 'titleReceived' },
    ])
    const entries = (await person.ask(calls.readTimeline, { params: sale.at })).slice(0, 6)
    for (const entry of entries) expect(entry).toMatchObject({ actor: 'DEALER', name: 'Keyturn Motors' })
    expect(entries.map(({ event, to }) => [event, to])).toEqual([
      ['titleReceived', undefined],
      ['completed', undefined],
      ['sellerPaid', undefined],
      ['appointmentMade', 'Wed, Nov 25, 2026, 3:00 PM, 1 Main Street, Boston'],
      ['documentNeeded', needed.document],
      ['dealerAccepted', undefined],
    ])
    // The notification tests cover the texts of these emails.
    expect((await readEmailsTo(server, person.email)).slice(0, 6).map(({ subject }) => subject)).toEqual([
      'Keyturn Motors has received the title of the 2003 Honda Accord EX',
      'The sale of the 2003 Honda Accord EX is complete',
      person === sale.seller
        ? 'Keyturn Motors has paid you for the 2003 Honda Accord EX'
        : 'The seller of the 2003 Honda Accord EX has been paid',
      'An appointment for the 2003 Honda Accord EX',
      'Keyturn Motors needs a document for the 2003 Honda Accord EX',
      'Keyturn Motors has accepted the deal for the 2003 Honda Accord EX',
    ])
  }
})

// R-deals-46, R-deals-48
test('shows its last step on both dashboards, and Keyturn as the one that passed the deal on', async () => {
  const sale = await aPassedSale()
  const needed = { step: 'needsDocument', document: 'The second key, please.' }
  const findStep = async (person: TestPerson) =>
    (await moves.listCarsOf(person)).find(({ _id }) => _id === sale.car._id)?.deal?.dealerStep
  for (const person of [sale.buyer, sale.seller]) expect(await findStep(person)).toBeNull()
  for (const step of [accepted, needed]) await report(sale, step)
  for (const person of [sale.buyer, sale.seller]) expect(await findStep(person)).toMatchObject(needed)
  const passed = (await moves.readTimelineOf(sale)).find(({ event }) => event === 'passed')
  expect(passed).toMatchObject({ actor: 'CLOCK' })
  expect(passed).not.toHaveProperty('name')
})

// R-deals-75
describe('a call with an invalid signature changes nothing', () => {
  const sixMinutesMs = 360_000
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
  const now = new Date()
  let shared: Passed
  beforeAll(async () => {
    shared = await aPassedSale()
  })

  // The id, the time and the body are signed, separated by periods.
  test.each([
    ['with another body than was signed', { signedBody: '{}' }],
    ['with another id than was signed', { headers: { 'webhook-id': 'msg_other' } }],
    ['six minutes old', { at: new Date(now.getTime() - sixMinutesMs) }],
    ['from six minutes ahead', { at: new Date(now.getTime() + sixMinutesMs) }],
    ['with a point in its id', { id: 'msg.1' }],
    ['without an id', { id: '' }],
    ['with an id over the maximum length', { id: 'x'.repeat(256) }],
    [
      'with the same second in another format',
      { at: now, headers: { 'webhook-timestamp': `${seconds(now)}.0` } },
    ],
  ])('one %s', async (_, how) => {
    expect(await statusAndCode(report(shared, accepted, how))).toEqual([401, 'InvalidSignature'])
    expect(await events(shared)).not.toContain('dealerAccepted')
  })

  test('rejects an unknown key, and a body that names another deal or no deal', async () => {
    const stranger = createDealerClient(server.browser(), createDealerKey())
    expect((await report(shared, accepted, {}, stranger)).status).toBe(401)
    const { pkgId } = await aPassedSale()
    expect((await report(shared, { ...accepted, pkgId })).status).toBe(400)
    expect((await completeAs(shared, {})).status).toBe(400)
    expect((await report({ pkgId: 'f'.repeat(24) }, accepted)).status).toBe(404)
    expect((await events(shared))[0]).toBe('passed')
  })

  test('returns 404 to another dealer, who cannot read the deal either', async () => {
    const { partner: other } = await anotherDealer()
    const foreign = await report(shared, accepted, {}, other)
    const absent = await report({ pkgId: 'f'.repeat(24) }, accepted, {}, other)
    expect([foreign.status, foreign.body]).toEqual([404, absent.body])
    expect(await events(shared)).not.toContain('dealerAccepted')
    for (const call of [readPartnerDeal, readPartnerAgreement]) {
      const params = { pkgId: shared.pkgId }
      expect(await statusAndCode(other.send(call, { params }))).toEqual([404, 'NotFound'])
      expect((await partner.send(call, { params })).status).toBe(200)
    }
  })

  test('ignores all signatures after the fifth', async () => {
    const { pkgId } = await aPassedSale()
    const wire = { params: { pkgId }, body: { pkgId, ...accepted } }
    const sendAfter = (others: number) => {
      const { 'webhook-signature': own, ...headers } = signDealerRequest(answerDeal, wire, key)
      const signatures = [...Array<string>(others).fill(`v1,${'A'.repeat(43)}=`), own]
      return server
        .browser()
        .send(answerDeal, wire, { ...headers, 'webhook-signature': signatures.join(' ') })
    }
    expect([(await sendAfter(5)).status, (await sendAfter(4)).status]).toEqual([401, 200])
  })

  test('measures a signature’s age by the database’s clock', async () => {
    const sale = await aPassedSale()
    await server.moveClock('10 minutes')
    const late = await report(sale, accepted)
    const inTime = await report(sale, accepted, { at: new Date(Date.now() + 600_000) })
    await server.moveClock('0 minutes')
    expect([late.status, inTime.status]).toEqual([401, 200])
  })
})

// R-deals-75
describe('a repeated request', () => {
  test('changes nothing when it is the same, even if concurrent, for completion as well', async () => {
    const sale = await aPassedSale()
    const count = async (name: string) => (await events(sale)).filter((event) => event === name).length
    const five = Array.from({ length: 5 }, () => report(sale, accepted, { id: 'msg_same' }))
    expect((await Promise.all(five)).map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await count('dealerAccepted')).toBe(1)
    const done = await Promise.all([completeAs(sale), completeAs(sale), completeAs(sale)])
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await count('completed')).toBe(1)
  })

  test('changes nothing under a different id either, unless the appointment differs', async () => {
    const sale = await aPassedSale()
    const another = { ...appointment, place: '2 Main Street' }
    for (const step of [accepted, appointment, another, { step: 'paidSeller' }, accepted])
      for (let times = 0; times < 2; times++) expect((await report(sale, step)).status).toBe(200)
    const recorded = ['sellerPaid', 'appointmentMade', 'appointmentMade', 'dealerAccepted', 'passed']
    expect((await events(sale)).slice(0, 5)).toEqual(recorded)
  })

  test('is rejected under an id that was used for another step; each dealer has its own ids', async () => {
    const [sale, another] = [await aPassedSale(), await aPassedSale()]
    await report(sale, accepted, { id: 'msg_used' })
    const reused = report(sale, { step: 'paidSeller' }, { id: 'msg_used' })
    expect(await statusAndCode(reused)).toEqual([422, 'IdempotencyKeyReused'])
    const { _id } = await anotherDealer()
    const theirs = `insert into partner_calls values ($1, 'msg_shared', $2, sha256(''))`
    await server.query(theirs, [_id, another.pkgId])
    for (let times = 0; times < 2; times++)
      expect((await report(sale, accepted, { id: 'msg_shared' })).status).toBe(200)
  })
})

/** Reports the acceptance while another transaction holds locks, runs `then` and commits. */
async function acceptMeanwhile(sale: Passed, first: string, before: string, then = 'select 1') {
  const other = await server.owner.pool.connect()
  try {
    await other.query('begin')
    await other.query(first, [sale.car._id])
    await other.query(before)
    const sent = report(sale, accepted)
    await waitForLockWait(server)
    await other.query(then)
    await other.query('commit')
    expect((await sent).status).toBe(200)
  } finally {
    await other.query('rollback')
    other.release()
  }
}

// R-deals-75
test('locks the car before the deal', async () => {
  const sale = await aPassedSale()
  await acceptMeanwhile(
    sale,
    'select id from cars where id = $1 for update',
    'select 1',
    `select id from deals where package_id = '${sale.pkgId}' for update nowait`,
  )
})

// R-deals-75
test('waits for a concurrent change to the deal and does not overwrite it', async () => {
  const sale = await aPassedSale()
  await acceptMeanwhile(
    sale,
    'select id from deals where car_id = $1 for update',
    `select record_deal_facts(id, 'DEALER', null, '{"event": "dealerAccepted", "dealer": "Keyturn Motors"}', null, null, null)
     from deals where package_id = '${sale.pkgId}'`,
  )
  expect((await events(sale)).filter((event) => event === 'dealerAccepted')).toHaveLength(1)
})

// R-deals-75
test('returns the deal’s state for a step out of order, which can succeed later', async () => {
  const sale = await aPassedSale()
  const early = await report(sale, { step: 'paidSeller' }, { id: 'msg_early' })
  expect([early.status, early.error.errorCode]).toEqual([409, 'InvalidTransition'])
  expect(early.error.current).toEqual({
    pkgId: sale.pkgId,
    completed: false,
    cancelled: false,
    isPaused: false,
    steps: [],
  })
  expect(await events(sale)).not.toContain('sellerPaid')
  await report(sale, accepted)
  expect((await report(sale, { step: 'paidSeller' }, { id: 'msg_early' })).status).toBe(200)
  expect((await report(sale, { step: 'cancelled', reason: 'Too late' })).status).toBe(409)
})

// R-deals-76
describe('a dealer that cancels the sale', () => {
  const cancelled = { step: 'cancelled', reason: 'The title shows a lien that nobody can explain.' }
  const { reason } = cancelled

  test('frees the car and the trade and shows the reason to both parties', async () => {
    const started = await aSaleAt(server, 'started')
    const { seller, buyer, at, car } = started
    const people = { owner: buyer, wholesaler: await aWholesaler(server) }
    const trade = await aTradeAt('ACCEPTED', people)
    await aRequest(started, buyer, 9000, [trade.vin])
    const waiting = await moves.anotherRequest(server, started, 8000)
    for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(started)
    const sale = { ...started, pkgId: await moves.readPackageIdOf(started) }
    await report(sale, accepted)
    expect((await report(sale, cancelled)).answer).toMatchObject({ cancelled: true, completed: false })
    expect((await report(sale, { ...cancelled, reason: 'Again' })).status).toBe(200)
    const administrator = await anAdministrator(server)
    for (const [sent, status] of [
      [report(sale, accepted), 200],
      [report(sale, { step: 'paidSeller' }), 409],
      [completeAs(sale), 409],
      [administrator.send(calls.completeDeal, { params: { pkgId: sale.pkgId } }), 409],
    ] as const)
      expect((await sent).status).toBe(status)
    // The trade is free, and both parties can still read the canceled deal.
    expect(await server.query('select * from deal_trades where trade_id = $1', [trade._id])).toEqual([])
    const progress = await readProgressOf(sale)
    expect(progress).toMatchObject({ fullySigned: false, completed: false })
    const pack = await buyer.ask(readPackage, { params: { pkgId: sale.pkgId } })
    expect(pack).toMatchObject({ calledOff: true, completed: false })
    expect(progress.dealerSteps.at(-1)).toMatchObject(cancelled)
    for (const person of [buyer, seller]) {
      const [mail] = await readEmailsTo(server, person.email)
      expect(mail?.text).toContain(reason)
    }
    expect((await readEmailsTo(server, waiting.buyer.email))[0]?.subject).toContain('is available again')
    // The seller sees the cancellation on the page of the car and in its timeline.
    const own = async () => (await moves.listCarsOf(seller)).find(({ _id }) => _id === car._id)
    const shown = { buyerId: buyer.id, buyer: 'Basil Byrd', dealer: 'Keyturn Motors', reason }
    expect(await own()).toMatchObject({ status: 'PENDING', calledOffSales: [shown] })
    const readTimeline = (of = buyer, by = seller, where = at) =>
      by.send(calls.readTimeline, { params: where, query: { buyerId: of.id } })
    expect((await readTimeline()).answer[0]).toMatchObject({ event: 'dealerCancelled', to: reason })
    // There is no timeline for a buyer without a deal or with a withdrawn one, and none for another
    // seller.
    const [stranger, other] = [await aBuyer(server), await aSeller(server)]
    const withdrawn = await moves.anotherRequest(server, started, 8100)
    await moves.withdraw(withdrawn)
    for (const sent of [
      await readTimeline(buyer, stranger),
      await readTimeline(stranger),
      await readTimeline(withdrawn.buyer),
      await readTimeline(buyer, other, { ...at, userId: other.id }),
    ])
      expect(sent.status).toBe(404)
    await confirmBuyer(waiting)
    expect(await own()).toMatchObject({ status: 'ACCEPTED', calledOffSales: [shown] })
    expect((await readTimeline()).answer[0]).toMatchObject({ event: 'dealerCancelled' })
    const sold = await administrator.ask(calls.listSoldCars, { query: { limit: 200 } })
    expect(sold.map(({ vin }) => vin)).not.toContain(car.vin)
  })

  test('gets the same response when it cancels again, also after the listing is deleted', async () => {
    const sale = await aPassedSale()
    await report(sale, cancelled)
    await moves.removeListing(sale)
    const again = await report(sale, cancelled)
    expect([again.status, again.answer.cancelled]).toEqual([200, true])
  })

  test('lets both parties agree again under a new package', async () => {
    const sale = await aPassedSale()
    await report(sale, cancelled)
    await aRequest(sale, sale.buyer, 9000)
    for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(sale)
    const pkgId = await moves.readPackageIdOf(sale)
    expect(pkgId).not.toBe(sale.pkgId)
    const administrator = await anAdministrator(server)
    expect((await administrator.send(calls.completeDeal, { params: { pkgId: sale.pkgId } })).status).toBe(409)
    expect((await readProgressOf(sale)).completed).toBe(false)
    expect((await completeAs({ ...sale, pkgId })).status).toBe(200)
  })
})
