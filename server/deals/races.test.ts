import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aRequest, aSaleAt, buyerSignature, progressOf, type Sale, sellerSignature } from '../test/deals.ts'
import { rounds } from '../test/fleet/rounds.ts'
import { openHouseOfTwo } from '../test/fleet/second-process.ts'
import { aBuyer, type TestPerson } from '../test/people.ts'
import { findEvidenceFaults } from './agreement/verify-evidence.ts'

// Two at once, at two processes of the server, on real PostgreSQL: one outcome, no lost signature, no 5xx. Each race
// runs many rounds on a sale that the calls themselves bring back to its start, or a new one: what is lost once in a
// hundred is lost.

const house = await openHouseOfTwo()

const accept = (sale: Sale, buyer: TestPerson, more: object = {}) =>
  sale.seller.send(calls.decideBuyer, {
    body: { ...sale.at, buyerId: buyer.id, status: 'ACCEPTED', ...more },
  })
const release = (sale: Sale, buyer: TestPerson) =>
  sale.seller.ask(calls.decideBuyer, { body: { ...sale.at, buyerId: buyer.id, status: 'REJECTED' } })
const offer = (sale: Sale, buyer: TestPerson, price: number) =>
  buyer.send(calls.decideBuyer, { body: { ...sale.at, price, status: 'PENDING' } })
const reprice = (sale: Sale, newPrice: number, version?: number) =>
  sale.seller.send(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice, version } })
const sign = (person: TestPerson, sale: Sale, data: object) =>
  person.send(calls.updateProgress, { body: { ...sale.at, data } })

const acceptedOn = (sale: Sale) =>
  house.query<{ n: number }>(
    `select count(*)::int as n from deals where car_id = $1 and status in ('ACCEPTED', 'COMPLETED') and withdrawn_at is null`,
    [sale.car._id],
  )

// R-safe-1
test('of two buyers confirmed at once exactly one is', async () => {
  const sale = await aSaleAt(house, 'requested')
  const second = await aBuyer(house)
  await aRequest(sale, second, 9300)
  for (let round = 0; round < rounds; round++) {
    const sent = await Promise.all([accept(sale, sale.buyer), accept(sale, second)])
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409])
    const loser = sent.find(({ status }) => status === 409)
    expect(loser?.refusal.errorCode).toBe('BuyerAlreadyConfirmed')
    expect(await acceptedOn(sale)).toEqual([{ n: 1 }])
    const winner = sent[0]?.status === 200 ? sale.buyer : second
    await release(sale, winner)
    await offer(sale, winner, 9000)
  }
})

// R-safe-2
test('a confirmation at the price shown never accepts another one', async () => {
  const sale = await aSaleAt(house, 'requested')
  for (let round = 0; round < rounds; round++) {
    const [shown, next] = round % 2 ? [8800, 9000] : [9000, 8800]
    const [confirmed, changed] = await Promise.all([
      accept(sale, sale.buyer, { price: shown }),
      offer(sale, sale.buyer, next),
    ])
    expect([confirmed.status, changed.status].sort()).toEqual([200, 409])
    const { price, status } = await progressOf(sale)
    if (confirmed.status === 200) {
      expect([price, status]).toEqual([shown * 100, 'ACCEPTED'])
      await release(sale, sale.buyer)
      await offer(sale, sale.buyer, next)
    } else {
      expect(confirmed.refusal.errorCode).toBe('PriceChanged')
      expect([price, status]).toEqual([next * 100, 'PENDING'])
    }
  }
})

test('a confirmation and the seller’s own new price: whichever is first, the other is refused', async () => {
  const sale = await aSaleAt(house, 'requested')
  let price = 9000
  for (let round = 0; round < rounds; round++) {
    // Never the present one, which would change nothing and be refused to nobody.
    const next = price + 1
    const [confirmed, priced] = await Promise.all([accept(sale, sale.buyer, { price }), reprice(sale, next)])
    expect([confirmed.status, priced.status].sort()).toEqual([200, 409])
    const present = await progressOf(sale)
    if (confirmed.status === 200) {
      expect(priced.refusal.errorCode).toBe('DealInProgress')
      expect(present.price).toBe(price * 100)
      await release(sale, sale.buyer)
      await offer(sale, sale.buyer, price)
    } else {
      expect(present).toMatchObject({ price: next * 100, status: 'PENDING' })
      price = next
    }
  }
})

test('a price set by a seller who says what they have read never goes over an offer made in the same moment', async () => {
  const sale = await aSaleAt(house, 'requested')
  const outcomes = new Set<number>()
  // Goes on until each of the two was first once.
  for (let round = 0; round < rounds || outcomes.size < 2; round++) {
    const [read] = await sale.seller.ask(calls.carsOf, { params: { userId: sale.seller.id } })
    const [priced, offered] = await Promise.all([
      reprice(sale, 9000 + round, read?.version),
      offer(sale, sale.buyer, 8000 + round),
    ])
    expect(offered.status).toBe(200)
    if (priced.status !== 200)
      expect([priced.status, priced.refusal.errorCode]).toEqual([409, 'StaleVersion'])
    expect((await progressOf(sale)).price).toBe((8000 + round) * 100)
    outcomes.add(priced.status)
  }
})

// R-safe-5
test('a signature never stands on a price that changed in the same moment', async () => {
  const sale = await aSaleAt(house, 'requested')
  for (let round = 0; round < rounds; round++) {
    const next = 9000 + (round % 50) + 1
    const [signed, priced] = await Promise.all([
      sign(sale.buyer, sale, buyerSignature()),
      reprice(sale, next),
    ])
    expect([signed.status, priced.status]).toEqual([200, 200])
    const present = await progressOf(sale)
    expect(present.price).toBe(next * 100)
    if (present.buyerSigned) expect(present.terms?.price).toBe(next * 100)
    else expect(present.activeBuyerStep).toBe(6)
  }
  const stored = await house.query<{ price: string; terms: string; valid: boolean }>(
    `select s.terms, s.deal_terms_version = d.terms_version and s.car_terms_version = c.terms_version as valid, d.price_cents as price
     from signatures s join deals d on d.id = s.deal_id join cars c on c.id = d.car_id where c.id = $1`,
    [sale.car._id],
  )
  for (const { terms, valid, price } of stored) if (valid) expect(JSON.parse(terms).price).toBe(Number(price))
})

// R-deals-41
test('both sign in the same moment: both signatures stand and the deal is passed once', async () => {
  const people = await aSaleAt(house, 'started')
  for (let round = 0; round < rounds; round++) {
    const sale = await aSaleAt(house, 'confirmed', {}, people)
    const sent = await Promise.all([
      sign(sale.seller, sale, sellerSignature()),
      sign(sale.buyer, sale, buyerSignature()),
      sign(sale.seller, sale, sellerSignature()),
    ])
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await progressOf(sale)).toMatchObject({ fullySigned: true, status: 'ACCEPTED' })
    const passed = await house.query(
      `select 1 from deal_events e join deals d on d.id = e.deal_id where d.car_id = $1 and e.event = 'passed'`,
      [sale.car._id],
    )
    expect(passed).toHaveLength(1)
  }
})

test('a withdrawal and a confirmation: the car is never left with a buyer who is gone', async () => {
  const sale = await aSaleAt(house, 'requested')
  const withdraw = () =>
    sale.buyer.send(calls.deleteCar, {
      params: { userType: 'BUYER', userId: sale.buyer.id, vin: sale.car.vin },
    })
  for (let round = 0; round < rounds; round++) {
    const [confirmed, withdrawn] = await Promise.all([accept(sale, sale.buyer), withdraw()])
    expect(withdrawn.status).toBe(200)
    expect([200, 404]).toContain(confirmed.status)
    expect(await acceptedOn(sale)).toEqual([{ n: 0 }])
    await aRequest(sale, sale.buyer, 9000)
  }
})

test('a listing deleted while its buyer is confirmed: one of the two happens', async () => {
  const people = await aSaleAt(house, 'started')
  for (let round = 0; round < rounds; round++) {
    const sale = await aSaleAt(house, 'requested', {}, people)
    const [confirmed, deleted] = await Promise.all([
      accept(sale, sale.buyer),
      sale.seller.send(calls.deleteCar, {
        params: { userType: 'SELLER', userId: sale.seller.id, vin: sale.car.vin },
      }),
    ])
    expect([confirmed.status, deleted.status]).toSatisfy(
      ([one, other]: number[]) => (one === 200 && other === 409) || (one === 404 && other === 200),
    )
    expect(await acceptedOn(sale)).toEqual([{ n: confirmed.status === 200 ? 1 : 0 }])
  }
})

test('an account deleted while its buyer is confirmed leaves no deal half-way', async () => {
  for (let round = 0; round < rounds / 8; round++) {
    const sale = await aSaleAt(house, 'requested')
    const [confirmed, deleted] = await Promise.all([
      accept(sale, sale.buyer),
      sale.buyer.send(calls.deleteUser, { params: { userType: 'BUYER', id: sale.buyer.id } }),
    ])
    expect([confirmed.status, deleted.status]).toSatisfy(
      ([one, other]: number[]) => (one === 200 && other === 409) || (one === 404 && other === 200),
    )
  }
})

// R-safe-7
test('every signature and event of these races verifies, and one changed byte shows', async () => {
  expect(await findEvidenceFaults(house.deps.db)).toEqual([])
  const [one] = await house.query<{ id: string }>('select id from signatures limit 1')
  await house.query('alter table signatures disable trigger signatures_stay')
  await house.query(`update signatures set terms = replace(terms, '"price":', '"price": ') where id = $1`, [
    one?.id,
  ])
  expect(await findEvidenceFaults(house.deps.db)).toContainEqual({ table: 'signatures', id: one?.id })
})
