import * as calls from '@keyturn/contract/deals/calls.ts'
import { addDealer } from '@keyturn/contract/deals/dealers/dealers.ts'
import { answerDeal, partnerAgreement, readPartnerDeal } from '@keyturn/contract/deals/dealers/partner.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { aKey, aPartner, signatureOf } from '../../test/dealers/partner.ts'
import {
  aRequest,
  aSaleAt,
  confirm,
  progressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../test/deals.ts'
import { openHouse } from '../../test/house.ts'
import { untilLockWait } from '../../test/meanwhile.ts'
import { aBuyer, anAdministrator, aSeller, aWholesaler, mailsTo } from '../../test/people.ts'
import { aTradeAt } from '../../test/trades.ts'

const key = aKey()
const house = await openHouse({ DEALER_NAME: 'Keyturn Motors', DEALER_WEBHOOK_SECRET: key })
const partner = aPartner(house.browser(), key)

async function aPassedSale() {
  const sale = await aSaleAt(house, 'passed')
  return { ...sale, pkgId: (await progressOf(sale)).pkgId ?? '' }
}
type Passed = Awaited<ReturnType<typeof aPassedSale>>

const say = ({ pkgId }: Pick<Passed, 'pkgId'>, said: object, how: object = {}) =>
  partner.send(answerDeal, { params: { pkgId }, body: { pkgId, ...said } }, how)
const completeAs = ({ pkgId }: Passed, how: object = {}) =>
  partner.send(calls.completeDeal, { params: { pkgId }, body: { pkgId } }, how)

const events = async (sale: Sale) =>
  (await sale.buyer.ask(calls.timeline, { params: sale.at })).map(({ event }) => event)

const appointment = { step: 'appointment', place: '1 Main Street, Boston', time: '2026-11-25T15:00:00-05:00' }

// R-deals-75
test('a dealer takes a sale from accepted to paid, title and complete, and both sides read each step', async () => {
  const sale = await aPassedSale()
  await say(sale, { step: 'accepted' })
  await say(sale, { step: 'needsDocument', document: 'The lender’s payoff letter, please.' })
  await say(sale, appointment)
  await say(sale, { step: 'paidSeller' })
  expect((await completeAs(sale)).status).toBe(200)
  const last = await say(sale, { step: 'titleReceived' })
  expect(last.answer).toMatchObject({ pkgId: sale.pkgId, completed: true, cancelled: false })
  for (const person of [sale.buyer, sale.seller]) {
    const progress = await person.ask(calls.getProgress, { params: sale.at })
    expect(progress).toMatchObject({ completed: true, status: 'COMPLETED' })
    expect(progress.dealerSteps.map(({ at, ...said }) => said)).toEqual([
      { step: 'accepted' },
      { step: 'needsDocument', document: 'The lender’s payoff letter, please.' },
      appointment,
      { step: 'paidSeller' },
      { step: 'complete' },
      { step: 'titleReceived' },
    ])
    const told = (await person.ask(calls.timeline, { params: sale.at })).slice(0, 6)
    expect(told.map(({ event, actor, name, to }) => [event, actor, name, to])).toEqual([
      ['titleReceived', 'DEALER', 'Keyturn Motors', undefined],
      ['completed', 'DEALER', 'Keyturn Motors', undefined],
      ['sellerPaid', 'DEALER', 'Keyturn Motors', undefined],
      ['appointmentMade', 'DEALER', 'Keyturn Motors', 'Wed, Nov 25, 2026, 3:00 PM, 1 Main Street, Boston'],
      ['documentNeeded', 'DEALER', 'Keyturn Motors', 'The lender’s payoff letter, please.'],
      ['dealerAccepted', 'DEALER', 'Keyturn Motors', undefined],
    ])
    const rung = (await person.ask(listNotifications)).filter(({ message }) =>
      message.startsWith('Keyturn Motors'),
    )
    expect(new Set(rung.map(({ type }) => type))).toEqual(
      new Set([person === sale.buyer ? 'Seller_Agreement' : 'Buyer_Agreement']),
    )
    expect(rung.length).toBe(6)
    const letters = (await mailsTo(house, person.email)).map(({ subject }) => subject)
    expect(letters.slice(0, 6)).toEqual([
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
  const stranger = await aWholesaler(house)
  const notices = (await stranger.ask(listNotifications)).map(({ message }) => message).join()
  expect(notices).not.toMatch(/Keyturn Motors|Main Street|payoff/)
})

// R-deals-75
describe('a call that is not signed as it should be does nothing', () => {
  const wrongs: [what: string, send: (sale: Passed) => Promise<{ status: number }>, status: number][] = [
    [
      'without a signature',
      ({ pkgId }) =>
        house.browser().send(answerDeal, { params: { pkgId }, body: { pkgId, step: 'accepted' } }),
      401,
    ],
    [
      'with somebody else’s key',
      ({ pkgId }) =>
        aPartner(house.browser(), aKey()).send(answerDeal, {
          params: { pkgId },
          body: { pkgId, step: 'accepted' },
        }),
      401,
    ],
    [
      'with another body than was signed',
      (sale) => say(sale, { step: 'accepted' }, { signedBody: '{}' }),
      401,
    ],
    [
      'with another id than was signed',
      (sale) => say(sale, { step: 'accepted' }, { headers: { 'webhook-id': 'msg_other' } }),
      401,
    ],
    [
      'six minutes old',
      (sale) => say(sale, { step: 'accepted' }, { at: new Date(Date.now() - 360_000) }),
      401,
    ],
    [
      'from six minutes ahead',
      (sale) => say(sale, { step: 'accepted' }, { at: new Date(Date.now() + 360_000) }),
      401,
    ],
    [
      'with a time that is none',
      (sale) => say(sale, { step: 'accepted' }, { headers: { 'webhook-timestamp': 'now' } }),
      401,
    ],
    [
      'about another deal than it names',
      async (sale) => {
        const other = await aPassedSale()
        return partner.send(answerDeal, {
          params: { pkgId: sale.pkgId },
          body: { pkgId: other.pkgId, step: 'accepted' },
        })
      },
      400,
    ],
    ['about a deal that there is not', () => say({ pkgId: 'f'.repeat(24) }, { step: 'accepted' }), 404],
    [
      'to complete, without naming the deal',
      ({ pkgId }) => partner.send(calls.completeDeal, { params: { pkgId }, body: {} }),
      400,
    ],
  ]
  let shared: Passed
  beforeAll(async () => {
    shared = await aPassedSale()
  })
  test.each(wrongs)('%s', async (_, send, status) => {
    const before = await events(shared)
    expect((await send(shared)).status).toBe(status)
    expect(await events(shared)).toEqual(before)
  })

  test('one by another dealer, for whom there is no such deal', async () => {
    const administrator = await anAdministrator(house)
    const other = aKey()
    await administrator.ask(addDealer, {
      body: { name: 'Other', webhookUrl: 'https://other.example/', webhookSecrets: other },
    })
    const sale = await aPassedSale()
    const body = { pkgId: sale.pkgId, step: 'accepted' }
    const strange = await aPartner(house.browser(), other).send(answerDeal, {
      params: { pkgId: sale.pkgId },
      body,
    })
    const none = 'f'.repeat(24)
    const absent = await aPartner(house.browser(), other).send(answerDeal, {
      params: { pkgId: none },
      body: { ...body, pkgId: none },
    })
    expect([strange.status, strange.body]).toEqual([404, absent.body])
    expect(await events(sale)).not.toContain('dealerAccepted')
    // Nor may they read of it.
    for (const call of [readPartnerDeal, partnerAgreement]) {
      const read = await aPartner(house.browser(), other).send(call, { params: { pkgId: sale.pkgId } })
      expect([read.status, read.refusal.errorCode]).toEqual([404, 'NotFound'])
      expect((await partner.send(call, { params: { pkgId: sale.pkgId } })).status).toBe(200)
    }
  })

  // What is signed is the id, the time and the body, with points between them.
  test.each([
    ['has a point', 'msg.1', 1],
    ['is missing', '', 1],
    ['is longer than any that is kept', 'x'.repeat(256), 1],
    ['is not as it was signed, though as many seconds', 'msg_time', 0],
  ])('one of which the id or the time %s, though the signature fits', async (_, id, isOfId) => {
    const at = new Date()
    const seconds = Math.floor(at.getTime() / 1000)
    const headers: Record<string, string> = isOfId ? {} : { 'webhook-timestamp': `${seconds}.0` }
    const sent = await say(shared, { step: 'accepted' }, { id, at, headers })
    expect([sent.status, sent.refusal.errorCode]).toEqual([401, 'InvalidSignature'])
    expect(await events(shared)).not.toContain('dealerAccepted')
  })

  test('one whose signature stands behind five others is not read that far', async () => {
    const sale = await aPassedSale()
    const wire = { params: { pkgId: sale.pkgId }, body: { pkgId: sale.pkgId, step: 'accepted' } }
    const behind = (others: number) => {
      const { 'webhook-signature': own, ...headers } = signatureOf(answerDeal, wire, key)
      const signatures = [...Array.from({ length: others }, () => `v1,${'A'.repeat(43)}=`), own]
      return house.browser().send(answerDeal, wire, { ...headers, 'webhook-signature': signatures.join(' ') })
    }
    expect([(await behind(5)).status, (await behind(4)).status]).toEqual([401, 200])
  })

  test('the age of a signature is told by the database’s clock', async () => {
    const sale = await aPassedSale()
    await house.moveClock('10 minutes')
    const late = await say(sale, { step: 'accepted' })
    const now = await say(sale, { step: 'accepted' }, { at: new Date(Date.now() + 600_000) })
    await house.moveClock('0 minutes')
    expect([late.status, now.status]).toEqual([401, 200])
  })
})

// R-deals-75
describe('twice changes nothing', () => {
  test('the same call, also at once, also to complete', async () => {
    const sale = await aPassedSale()
    const body = { pkgId: sale.pkgId, step: 'accepted' }
    const wire = { params: { pkgId: sale.pkgId }, body }
    const headers = signatureOf(answerDeal, wire, key, { id: 'msg_same' })
    const all = await Promise.all(
      Array.from({ length: 5 }, () => house.browser().send(answerDeal, wire, headers)),
    )
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await events(sale)).filter((event) => event === 'dealerAccepted').length).toBe(1)
    const done = await Promise.all([completeAs(sale), completeAs(sale), completeAs(sale)])
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await events(sale)).filter((event) => event === 'completed').length).toBe(1)
  })

  test('the same thing said again under another id', async () => {
    const sale = await aPassedSale()
    for (const said of [{ step: 'accepted' }, appointment, { step: 'paidSeller' }])
      for (let times = 0; times < 2; times++) expect((await say(sale, said)).status).toBe(200)
    expect((await say(sale, { step: 'accepted' })).status).toBe(200)
    expect((await events(sale)).slice(0, 3)).toEqual(['sellerPaid', 'appointmentMade', 'dealerAccepted'])
  })

  test('but another appointment is another one, and an id that was used for something else is refused', async () => {
    const sale = await aPassedSale()
    await say(sale, { step: 'accepted' }, { id: 'msg_used' })
    await say(sale, appointment)
    await say(sale, { ...appointment, place: '2 Main Street' })
    expect((await events(sale)).slice(0, 2)).toEqual(['appointmentMade', 'appointmentMade'])
    const reused = await say(sale, { step: 'paidSeller' }, { id: 'msg_used' })
    expect([reused.status, reused.refusal.errorCode]).toEqual([422, 'IdempotencyKeyReused'])
  })
})

// R-deals-75
test('the ids of calls are a dealer’s own: another one may have used the same', async () => {
  const [sale, another] = [await aPassedSale(), await aPassedSale()]
  const administrator = await anAdministrator(house)
  const { _id } = await administrator.ask(addDealer, { body: { name: 'Another' } })
  await house.query(`insert into partner_calls values ($1, 'msg_shared', $2, sha256(''))`, [
    _id,
    another.pkgId,
  ])
  for (let times = 0; times < 2; times++)
    expect((await say(sale, { step: 'accepted' }, { id: 'msg_shared' })).status).toBe(200)
})

// R-deals-75
test('a call takes the car before the deal, as everybody does', async () => {
  const sale = await aPassedSale()
  const other = await house.owner.pool.connect()
  try {
    await other.query('begin')
    await other.query('select id from cars where id = $1 for update', [sale.car._id])
    const said = say(sale, { step: 'accepted' })
    await untilLockWait(house)
    await other.query('select id from deals where package_id = $1 for update nowait', [sale.pkgId])
    await other.query('commit')
    expect((await said).status).toBe(200)
  } finally {
    await other.query('rollback')
    other.release()
  }
})

// R-deals-75
test('a call waits for whoever is changing the deal, and changes nothing that was done meanwhile', async () => {
  const sale = await aPassedSale()
  const other = await house.owner.pool.connect()
  try {
    const { rows } = await other
      .query('begin; select 1')
      .then(() =>
        other.query<{ id: string }>('select id from deals where package_id = $1 for update', [sale.pkgId]),
      )
    await other.query(
      `select record_deal_facts($1, 'DEALER', null, '{"event": "dealerAccepted", "dealer": "Keyturn Motors"}', null, null, null)`,
      [rows[0]?.id],
    )
    const said = say(sale, { step: 'accepted' })
    await untilLockWait(house)
    await other.query('commit')
    expect((await said).status).toBe(200)
  } finally {
    await other.query('rollback')
    other.release()
  }
  expect((await events(sale)).filter((event) => event === 'dealerAccepted')).toHaveLength(1)
})

// R-deals-75
test('out of order it is refused with how the deal stands, and may be said once its turn has come', async () => {
  const sale = await aPassedSale()
  const early = await say(sale, { step: 'paidSeller' }, { id: 'msg_early' })
  expect([early.status, early.refusal.errorCode]).toEqual([409, 'InvalidTransition'])
  expect(early.refusal.current).toEqual({ pkgId: sale.pkgId, completed: false, cancelled: false, steps: [] })
  expect(await events(sale)).not.toContain('sellerPaid')
  await say(sale, { step: 'accepted' })
  expect((await say(sale, { step: 'paidSeller' }, { id: 'msg_early' })).status).toBe(200)
  const late = await say(sale, { step: 'cancelled', reason: 'Too late' })
  expect(late.status).toBe(409)
})

test('a package that is not passed on yet, or one of a sale without signatures, is none', async () => {
  const sale = await aSaleAt(house, 'sellerSigned')
  const [deal] = await house.query<{ id: string }>('select id from deals where car_id = $1', [sale.car._id])
  expect((await say({ pkgId: deal?.id ?? '' }, { step: 'accepted' })).status).toBe(404)
})

// R-deals-76
describe('a dealer that calls off the sale', () => {
  test('frees the car and the trade, and everybody reads why', async () => {
    const wholesaler = await aWholesaler(house)
    const listing = await aSaleAt(house, 'started')
    const trade = await aTradeAt('ACCEPTED', { owner: listing.buyer, wholesaler })
    await aRequest(listing, listing.buyer, 9000, [trade.vin])
    const waiting = await aBuyer(house)
    await aRequest(listing, waiting, 8000)
    for (const act of [confirm, signAsSeller, signAsBuyer]) await act(listing)
    const sale = { ...listing, pkgId: (await progressOf(listing)).pkgId ?? '' }
    await say(sale, { step: 'accepted' })
    const reason = 'The title shows a lien that nobody can explain.'
    const said = await say(sale, { step: 'cancelled', reason })
    expect(said.answer).toMatchObject({ cancelled: true, completed: false })
    expect((await say(sale, { step: 'cancelled', reason: 'Again' })).status).toBe(200)
    for (const step of [{ step: 'accepted' }, { step: 'paidSeller' }])
      expect((await say(sale, step)).status).toBe(step.step === 'accepted' ? 200 : 409)
    expect((await completeAs(sale)).status).toBe(409)
    const administrator = await anAdministrator(house)
    const params = { pkgId: sale.pkgId }
    expect((await administrator.send(calls.completeDeal, { params })).status).toBe(409)
    // The trade is free, the car can be promised to who waited, and the lost deal can be read by who lost it.
    expect(await house.query('select * from deal_trades where trade_id = $1', [trade._id])).toEqual([])
    const told = await sale.buyer.ask(calls.getProgress, { params: sale.at })
    expect(told.dealerSteps.at(-1)).toMatchObject({ step: 'cancelled', reason })
    expect(told).toMatchObject({ fullySigned: false, completed: false })
    for (const person of [sale.buyer, sale.seller]) {
      const [letter] = await mailsTo(house, person.email)
      expect(letter?.text).toContain(reason)
    }
    expect((await mailsTo(house, waiting.email))[0]?.subject).toContain('is free again')
    // So can the seller, whose car it is: on the page of the car, and what has happened in that deal.
    const own = async () =>
      (await sale.seller.ask(calls.carsOf, { params: { userId: sale.seller.id } })).find(
        ({ _id }) => _id === sale.car._id,
      )
    const calledOff = { buyerId: sale.buyer.id, buyer: 'Basil Byrd', dealer: 'Keyturn Motors', reason }
    expect(await own()).toMatchObject({ status: 'PENDING', calledOffSales: [calledOff] })
    const story = () =>
      sale.seller.ask(calls.timeline, { params: sale.at, query: { buyerId: sale.buyer.id } })
    expect((await story())[0]).toMatchObject({ event: 'dealerCancelled', to: reason })
    const strange = await aBuyer(house)
    const query = { buyerId: sale.buyer.id }
    expect((await strange.send(calls.timeline, { params: sale.at, query })).status).toBe(404)
    // Of this deal alone: not of a buyer without one, of one who has withdrawn, or for another seller.
    const gone = await aBuyer(house)
    await aRequest(listing, gone, 8100)
    await gone.ask(calls.deleteCar, {
      params: { userType: 'BUYER', userId: gone.id, vin: listing.car.vin },
    })
    const other = await aSeller(house)
    for (const [person, at, buyer] of [
      [sale.seller, sale.at, strange],
      [sale.seller, sale.at, gone],
      [other, { ...sale.at, userId: other.id }, sale.buyer],
    ] as const)
      expect(
        (await person.send(calls.timeline, { params: at, query: { buyerId: buyer.id } })).status,
        buyer.email,
      ).toBe(404)
    await confirm({ ...listing, buyer: waiting })
    expect(await own()).toMatchObject({ status: 'ACCEPTED', calledOffSales: [calledOff] })
    expect((await story())[0]).toMatchObject({ event: 'dealerCancelled' })
    const sold = await administrator.ask(calls.soldCars, { query: { limit: 200 } })
    expect(sold.map(({ vin }) => vin)).not.toContain(listing.car.vin)
  })

  test('is answered as before when it says so again, also once the seller has taken the car off', async () => {
    const sale = await aPassedSale()
    await say(sale, { step: 'cancelled', reason: 'The car was not there.' })
    const params = { userType: 'SELLER', userId: sale.seller.id, vin: sale.car.vin }
    await sale.seller.ask(calls.deleteCar, { params })
    const again = await say(sale, { step: 'cancelled', reason: 'The car was not there.' })
    expect([again.status, again.answer?.cancelled]).toEqual([200, true])
  })

  test('leaves both free to agree anew, and the old package is not the new one', async () => {
    const sale = await aPassedSale()
    await say(sale, { step: 'cancelled', reason: 'The car was not there.' })
    await aRequest(sale, sale.buyer, 9000)
    for (const act of [confirm, signAsSeller, signAsBuyer]) await act(sale)
    const { pkgId } = await progressOf(sale)
    expect(pkgId).not.toBe(sale.pkgId)
    const administrator = await anAdministrator(house)
    expect((await administrator.send(calls.completeDeal, { params: { pkgId: sale.pkgId } })).status).toBe(409)
    expect((await progressOf(sale)).completed).toBe(false)
    expect((await completeAs({ ...sale, pkgId: pkgId ?? '' })).status).toBe(200)
  })
})
