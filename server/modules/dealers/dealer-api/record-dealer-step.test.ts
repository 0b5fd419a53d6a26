import { answerDeal, partnerAgreement, readPartnerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { addDealer } from '@keyturn/contract/dealers/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { aKey, aPartner, signatureOf } from '../../../../tests/support/dealers/dealer-client.ts'
import { aBuyer, anAdministrator, aSeller, aWholesaler, mailsTo } from '../../../../tests/support/people.ts'
import * as moves from '../../../../tests/support/sales/deal-moves.ts'
import {
  aRequest,
  aSaleAt,
  confirm,
  progressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { untilLockWait } from '../../../../tests/support/second-session.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTradeAt, codeOf } from '../../../../tests/support/trades.ts'

const key = aKey()
const house = await startTestServer({ DEALER_NAME: 'Keyturn Motors', DEALER_WEBHOOK_SECRET: key })
const partner = aPartner(house.browser(), key)

type Passed = Sale & { pkgId: string }
async function aPassedSale(): Promise<Passed> {
  const sale = await aSaleAt(house, 'passed')
  return { ...sale, pkgId: await moves.pkgIdOf(sale) }
}

/** `by`: whose system says it. */
const say = ({ pkgId }: Pick<Passed, 'pkgId'>, said: object, how: object = {}, by = partner) =>
  by.send(answerDeal, { params: { pkgId }, body: { pkgId, ...said } }, how)
const completeAs = ({ pkgId }: Passed, body: object = { pkgId }) =>
  partner.send(calls.completeDeal, { params: { pkgId }, body })

const events = async (sale: Sale) => (await moves.timelineOf(sale)).map(({ event }) => event)
async function anotherDealer() {
  const other = aKey()
  const body = { name: 'Other', webhookUrl: 'https://other.example/', webhookSecrets: other }
  const { _id } = await (await anAdministrator(house)).ask(addDealer, { body })
  return { _id, partner: aPartner(house.browser(), other) }
}

const accepted = { step: 'accepted' }
const appointment = { step: 'appointment', place: '1 Main Street, Boston', time: '2026-11-25T15:00:00-05:00' }

// R-deals-75
test('records each step from accepted to complete and shows it to both parties', async () => {
  const sale = await aPassedSale()
  const needed = { step: 'needsDocument', document: 'The lender’s payoff letter, please.' }
  for (const said of [accepted, needed, appointment, { step: 'paidSeller' }]) await say(sale, said)
  expect((await completeAs(sale)).status).toBe(200)
  const last = await say(sale, { step: 'titleReceived' })
  expect(last.answer).toMatchObject({ pkgId: sale.pkgId, completed: true, cancelled: false })
  for (const person of [sale.buyer, sale.seller]) {
    const progress = await person.ask(calls.getProgress, { params: sale.at })
    expect(progress).toMatchObject({ completed: true, status: 'COMPLETED' })
    expect(progress.dealerSteps.map(({ at, ...said }) => said)).toEqual([
      accepted,
      needed,
      appointment,
      { step: 'paidSeller' },
      { step: 'complete' },
      { step: 'titleReceived' },
    ])
    const told = (await person.ask(calls.timeline, { params: sale.at })).slice(0, 6)
    for (const entry of told) expect(entry).toMatchObject({ actor: 'DEALER', name: 'Keyturn Motors' })
    expect(told.map(({ event, to }) => [event, to])).toEqual([
      ['titleReceived', undefined],
      ['completed', undefined],
      ['sellerPaid', undefined],
      ['appointmentMade', 'Wed, Nov 25, 2026, 3:00 PM, 1 Main Street, Boston'],
      ['documentNeeded', needed.document],
      ['dealerAccepted', undefined],
    ])
    // What each of these says by bell, mail and phone is in the tests of notifications; all of it came.
    expect((await mailsTo(house, person.email)).slice(0, 6).map(({ subject }) => subject)).toEqual([
      'The title of the 2003 Honda Accord EX has arrived',
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

// R-deals-75
describe('a call that is not signed as it should be does nothing', () => {
  const sixMinutesMs = 360_000
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
  const now = new Date()
  let shared: Passed
  beforeAll(async () => {
    shared = await aPassedSale()
  })

  // What is signed is the id, the time and the body, with points between them.
  test.each([
    ['with another body than was signed', { signedBody: '{}' }],
    ['with another id than was signed', { headers: { 'webhook-id': 'msg_other' } }],
    ['six minutes old', { at: new Date(now.getTime() - sixMinutesMs) }],
    ['from six minutes ahead', { at: new Date(now.getTime() + sixMinutesMs) }],
    ['whose id has a point', { id: 'msg.1' }],
    ['whose id is missing', { id: '' }],
    ['whose id is longer than any that is kept', { id: 'x'.repeat(256) }],
    [
      'at another time, though as many seconds',
      { at: now, headers: { 'webhook-timestamp': `${seconds(now)}.0` } },
    ],
  ])('one %s', async (_, how) => {
    expect(await codeOf(say(shared, accepted, how))).toEqual([401, 'InvalidSignature'])
    expect(await events(shared)).not.toContain('dealerAccepted')
  })

  test('rejects an unknown key, and a body that names another deal or none', async () => {
    const stranger = aPartner(house.browser(), aKey())
    expect((await say(shared, accepted, {}, stranger)).status).toBe(401)
    const { pkgId } = await aPassedSale()
    expect((await say(shared, { ...accepted, pkgId })).status).toBe(400)
    expect((await completeAs(shared, {})).status).toBe(400)
    expect((await say({ pkgId: 'f'.repeat(24) }, accepted)).status).toBe(404)
    expect((await events(shared))[0]).toBe('passed')
  })

  test('returns 404 to another dealer, which cannot read the deal either', async () => {
    const { partner: other } = await anotherDealer()
    const strange = await say(shared, accepted, {}, other)
    const absent = await say({ pkgId: 'f'.repeat(24) }, accepted, {}, other)
    expect([strange.status, strange.body]).toEqual([404, absent.body])
    expect(await events(shared)).not.toContain('dealerAccepted')
    for (const call of [readPartnerDeal, partnerAgreement]) {
      const params = { pkgId: shared.pkgId }
      expect(await codeOf(other.send(call, { params }))).toEqual([404, 'NotFound'])
      expect((await partner.send(call, { params })).status).toBe(200)
    }
  })

  test('ignores a signature after five others', async () => {
    const { pkgId } = await aPassedSale()
    const wire = { params: { pkgId }, body: { pkgId, ...accepted } }
    const behind = (others: number) => {
      const { 'webhook-signature': own, ...headers } = signatureOf(answerDeal, wire, key)
      const signatures = [...Array<string>(others).fill(`v1,${'A'.repeat(43)}=`), own]
      return house.browser().send(answerDeal, wire, { ...headers, 'webhook-signature': signatures.join(' ') })
    }
    expect([(await behind(5)).status, (await behind(4)).status]).toEqual([401, 200])
  })

  test('measures the age of a signature by the database’s clock', async () => {
    const sale = await aPassedSale()
    await house.moveClock('10 minutes')
    const late = await say(sale, accepted)
    const inTime = await say(sale, accepted, { at: new Date(Date.now() + 600_000) })
    await house.moveClock('0 minutes')
    expect([late.status, inTime.status]).toEqual([401, 200])
  })
})

// R-deals-75
describe('twice changes nothing', () => {
  test('when the same request is repeated, also concurrently, also to complete', async () => {
    const sale = await aPassedSale()
    const count = async (name: string) => (await events(sale)).filter((event) => event === name).length
    const five = Array.from({ length: 5 }, () => say(sale, accepted, { id: 'msg_same' }))
    expect((await Promise.all(five)).map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(await count('dealerAccepted')).toBe(1)
    const done = await Promise.all([completeAs(sale), completeAs(sale), completeAs(sale)])
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await count('completed')).toBe(1)
  })

  test('when the report is repeated under another id, unless the appointment differs', async () => {
    const sale = await aPassedSale()
    const another = { ...appointment, place: '2 Main Street' }
    for (const said of [accepted, appointment, another, { step: 'paidSeller' }, accepted])
      for (let times = 0; times < 2; times++) expect((await say(sale, said)).status).toBe(200)
    const told = ['sellerPaid', 'appointmentMade', 'appointmentMade', 'dealerAccepted', 'passed']
    expect((await events(sale)).slice(0, 5)).toEqual(told)
  })

  test('rejects an id used for something else; ids are separate for each dealer', async () => {
    const [sale, another] = [await aPassedSale(), await aPassedSale()]
    await say(sale, accepted, { id: 'msg_used' })
    const reused = say(sale, { step: 'paidSeller' }, { id: 'msg_used' })
    expect(await codeOf(reused)).toEqual([422, 'IdempotencyKeyReused'])
    const { _id } = await anotherDealer()
    const theirs = `insert into partner_calls values ($1, 'msg_shared', $2, sha256(''))`
    await house.query(theirs, [_id, another.pkgId])
    for (let times = 0; times < 2; times++)
      expect((await say(sale, accepted, { id: 'msg_shared' })).status).toBe(200)
  })
})

/** Says that the dealer accepts, while somebody else does something in a transaction that is committed then. */
async function acceptMeanwhile(sale: Passed, first: string, before: string, then = 'select 1') {
  const other = await house.owner.pool.connect()
  try {
    await other.query('begin')
    await other.query(first, [sale.car._id])
    await other.query(before)
    const said = say(sale, accepted)
    await untilLockWait(house)
    await other.query(then)
    await other.query('commit')
    expect((await said).status).toBe(200)
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
test('waits for a concurrent change of the deal and does not overwrite it', async () => {
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
test('returns the deal’s state for a step out of order, which succeeds later', async () => {
  const sale = await aPassedSale()
  const early = await say(sale, { step: 'paidSeller' }, { id: 'msg_early' })
  expect([early.status, early.refusal.errorCode]).toEqual([409, 'InvalidTransition'])
  expect(early.refusal.current).toEqual({ pkgId: sale.pkgId, completed: false, cancelled: false, steps: [] })
  expect(await events(sale)).not.toContain('sellerPaid')
  await say(sale, accepted)
  expect((await say(sale, { step: 'paidSeller' }, { id: 'msg_early' })).status).toBe(200)
  expect((await say(sale, { step: 'cancelled', reason: 'Too late' })).status).toBe(409)
})

// R-deals-76
describe('a dealer that calls off the sale', () => {
  const calledOff = { step: 'cancelled', reason: 'The title shows a lien that nobody can explain.' }
  const { reason } = calledOff

  test('frees the car and the trade and shows the reason to both parties', async () => {
    const started = await aSaleAt(house, 'started')
    const { seller, buyer, at, car } = started
    const people = { owner: buyer, wholesaler: await aWholesaler(house) }
    const trade = await aTradeAt('ACCEPTED', people)
    await aRequest(started, buyer, 9000, [trade.vin])
    const waiting = await moves.anotherRequest(house, started, 8000)
    for (const act of [confirm, signAsSeller, signAsBuyer]) await act(started)
    const sale = { ...started, pkgId: await moves.pkgIdOf(started) }
    await say(sale, accepted)
    expect((await say(sale, calledOff)).answer).toMatchObject({ cancelled: true, completed: false })
    expect((await say(sale, { ...calledOff, reason: 'Again' })).status).toBe(200)
    const administrator = await anAdministrator(house)
    for (const [sent, status] of [
      [say(sale, accepted), 200],
      [say(sale, { step: 'paidSeller' }), 409],
      [completeAs(sale), 409],
      [administrator.send(calls.completeDeal, { params: { pkgId: sale.pkgId } }), 409],
    ] as const)
      expect((await sent).status).toBe(status)
    // The trade is free, the car can be promised to who waited, and the lost deal can be read by who lost it.
    expect(await house.query('select * from deal_trades where trade_id = $1', [trade._id])).toEqual([])
    const told = await progressOf(sale)
    expect(told).toMatchObject({ fullySigned: false, completed: false })
    expect(told.dealerSteps.at(-1)).toMatchObject(calledOff)
    for (const person of [buyer, seller]) {
      const [letter] = await mailsTo(house, person.email)
      expect(letter?.text).toContain(reason)
    }
    expect((await mailsTo(house, waiting.buyer.email))[0]?.subject).toContain('is free again')
    // So can the seller, whose car it is: on the page of the car, and what has happened in that deal.
    const own = async () => (await moves.carsOf(seller)).find(({ _id }) => _id === car._id)
    const shown = { buyerId: buyer.id, buyer: 'Basil Byrd', dealer: 'Keyturn Motors', reason }
    expect(await own()).toMatchObject({ status: 'PENDING', calledOffSales: [shown] })
    const story = (of = buyer, by = seller, where = at) =>
      by.send(calls.timeline, { params: where, query: { buyerId: of.id } })
    expect((await story()).answer[0]).toMatchObject({ event: 'dealerCancelled', to: reason })
    // Of this deal alone: not of a buyer without one, of one who has withdrawn, or for another seller.
    const [strange, other] = [await aBuyer(house), await aSeller(house)]
    const gone = await moves.anotherRequest(house, started, 8100)
    await moves.withdraw(gone)
    for (const sent of [
      await story(buyer, strange),
      await story(strange),
      await story(gone.buyer),
      await story(buyer, other, { ...at, userId: other.id }),
    ])
      expect(sent.status).toBe(404)
    await confirm(waiting)
    expect(await own()).toMatchObject({ status: 'ACCEPTED', calledOffSales: [shown] })
    expect((await story()).answer[0]).toMatchObject({ event: 'dealerCancelled' })
    const sold = await administrator.ask(calls.soldCars, { query: { limit: 200 } })
    expect(sold.map(({ vin }) => vin)).not.toContain(car.vin)
  })

  test('gets the same response when it cancels again, also after the listing is deleted', async () => {
    const sale = await aPassedSale()
    await say(sale, calledOff)
    await moves.removeListing(sale)
    const again = await say(sale, calledOff)
    expect([again.status, again.answer.cancelled]).toEqual([200, true])
  })

  test('lets both parties agree again under a new package', async () => {
    const sale = await aPassedSale()
    await say(sale, calledOff)
    await aRequest(sale, sale.buyer, 9000)
    for (const act of [confirm, signAsSeller, signAsBuyer]) await act(sale)
    const pkgId = await moves.pkgIdOf(sale)
    expect(pkgId).not.toBe(sale.pkgId)
    const administrator = await anAdministrator(house)
    expect((await administrator.send(calls.completeDeal, { params: { pkgId: sale.pkgId } })).status).toBe(409)
    expect((await progressOf(sale)).completed).toBe(false)
    expect((await completeAs({ ...sale, pkgId })).status).toBe(200)
  })
})
