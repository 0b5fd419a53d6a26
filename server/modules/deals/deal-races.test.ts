import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { raceRounds } from '../../../tests/cluster/rounds.ts'
import { startTwoServers } from '../../../tests/cluster/two-servers.ts'
import type { TestPerson } from '../../../tests/support/people.ts'
import {
  anotherRequest,
  listCarsOf,
  tryToRemoveListing,
  tryToSetPrice,
  tryToWithdraw,
} from '../../../tests/support/sales/deal-moves.ts'
import {
  aRequest,
  aSaleAt,
  buyerSignature,
  offerPrice,
  readProgressOf,
  type Sale,
  sellerSignature,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { findEvidenceFaults } from '../agreements/find-evidence-faults.ts'

// Two concurrent calls, on two processes: one outcome, no lost signature, no 5xx. Each race runs
// many rounds, because a rare loss is a loss, too.

const server = await startTwoServers()

const accept = ({ seller, buyer, at }: Sale, price?: number) =>
  seller.send(calls.decideRequest, { body: { ...at, buyerId: buyer.id, status: 'ACCEPTED', price } })
const tryToOffer = ({ buyer, at }: Sale, price: number) =>
  buyer.send(calls.decideRequest, { body: { ...at, price, status: 'PENDING' } })
/** Returns the sale to the state in which races start. */
async function resetTo(sale: Sale, price: number) {
  await turnDown(sale)
  await offerPrice(sale, price)
}
const statusesOf = (sent: readonly { status: number }[]) => sent.map(({ status }) => status).sort()
const sign = (person: TestPerson, sale: Sale, data: object) =>
  person.send(calls.updateProgress, { body: { ...sale.at, data } })

const acceptedOn = async ({ car }: Sale) =>
  (
    await server.query(
      `select from deals where car_id = $1 and status in ('ACCEPTED', 'COMPLETED') and withdrawn_at is null`,
      [car._id],
    )
  ).length

// R-safe-1
test('confirms exactly one buyer when two are confirmed concurrently', async () => {
  const sale = await aSaleAt(server, 'requested')
  const second = await anotherRequest(server, sale)
  for (let round = 0; round < raceRounds; round++) {
    const sent = await Promise.all([accept(sale), accept(second)])
    expect(statusesOf(sent)).toEqual([200, 409])
    const loser = sent.find(({ status }) => status === 409)
    expect(loser?.error.errorCode).toBe('BuyerAlreadyConfirmed')
    expect(await acceptedOn(sale)).toBe(1)
    await resetTo(sent[0]?.status === 200 ? sale : second, 9000)
  }
})

// R-safe-2
test('confirms only the price that was shown when the buyer changes it concurrently', async () => {
  const sale = await aSaleAt(server, 'requested')
  for (let round = 0; round < raceRounds; round++) {
    const [shown, next] = round % 2 ? [8800, 9000] : [9000, 8800]
    const [confirmed, changed] = await Promise.all([accept(sale, shown), tryToOffer(sale, next)])
    expect(statusesOf([confirmed, changed])).toEqual([200, 409])
    const { price, status } = await readProgressOf(sale)
    if (confirmed.status === 200) {
      expect([price, status]).toEqual([shown * 100, 'ACCEPTED'])
      await resetTo(sale, next)
    } else {
      expect(confirmed.error.errorCode).toBe('PriceChanged')
      expect([price, status]).toEqual([next * 100, 'PENDING'])
    }
  }
})

// R-deals-25
test('confirms the offer whatever asking price the seller sets at the same time', async () => {
  const sale = await aSaleAt(server, 'requested')
  for (let round = 0; round < raceRounds; round++) {
    const [confirmed, priced] = await Promise.all([accept(sale, 9000), tryToSetPrice(sale, 9600 + round)])
    expect(confirmed.status).toBe(200)
    if (priced.status !== 200)
      expect([priced.status, priced.error.errorCode]).toEqual([409, 'DealInProgress'])
    expect(await readProgressOf(sale)).toMatchObject({ price: 900_000, status: 'ACCEPTED' })
    await resetTo(sale, 9000)
  }
})

test('never overwrites a concurrent offer with a price based on the version before it', async () => {
  const sale = await aSaleAt(server, 'requested')
  const outcomes = new Set<number>()
  // Runs until each of the two has been first once.
  for (let round = 0; round < raceRounds || outcomes.size < 2; round++) {
    const [read] = await listCarsOf(sale.seller)
    const [priced, offered] = await Promise.all([
      tryToSetPrice(sale, 9000 + round, read?.version),
      tryToOffer(sale, 8000 + round),
    ])
    expect(offered.status).toBe(200)
    if (priced.status !== 200) expect([priced.status, priced.error.errorCode]).toEqual([409, 'StaleVersion'])
    expect((await readProgressOf(sale)).price).toBe((8000 + round) * 100)
    outcomes.add(priced.status)
  }
})

// R-safe-5
test('never validates a signature on a price that changes concurrently', async () => {
  const sale = await aSaleAt(server, 'requested')
  for (let round = 0; round < raceRounds; round++) {
    const next = 9000 + (round % 50) + 1
    const sent = await Promise.all([sign(sale.buyer, sale, buyerSignature()), tryToOffer(sale, next)])
    expect(statusesOf(sent)).toEqual([200, 200])
    const current = await readProgressOf(sale)
    expect(current.price).toBe(next * 100)
    if (current.buyerSigned) expect(current.terms?.price).toBe(next * 100)
    else expect(current.activeBuyerStep).toBe(6)
  }
  const stored = await server.query<{ price: string; terms: string; valid: boolean }>(
    `select s.terms, s.deal_terms_version = d.terms_version and s.car_terms_version = c.terms_version as valid, d.price_cents as price
     from signatures s join deals d on d.id = s.deal_id join cars c on c.id = d.car_id where c.id = $1`,
    [sale.car._id],
  )
  for (const { terms, valid, price } of stored) if (valid) expect(JSON.parse(terms).price).toBe(Number(price))
})

// R-deals-41
test('accepts two concurrent signatures and passes the deal on once', async () => {
  const people = await aSaleAt(server, 'started')
  for (let round = 0; round < raceRounds; round++) {
    const sale = await aSaleAt(server, 'confirmed', {}, people)
    const sent = await Promise.all([
      sign(sale.seller, sale, sellerSignature()),
      sign(sale.buyer, sale, buyerSignature()),
      sign(sale.seller, sale, sellerSignature()),
    ])
    expect(statusesOf(sent)).toEqual([200, 200, 200])
    expect(await readProgressOf(sale)).toMatchObject({ fullySigned: true, status: 'ACCEPTED' })
    const passed = await server.query(
      `select 1 from deal_events e join deals d on d.id = e.deal_id where d.car_id = $1 and e.event = 'passed'`,
      [sale.car._id],
    )
    expect(passed).toHaveLength(1)
  }
})

test('never reserves a car for a buyer who withdraws during the confirmation', async () => {
  const sale = await aSaleAt(server, 'requested')
  for (let round = 0; round < raceRounds; round++) {
    const [confirmed, withdrawn] = await Promise.all([accept(sale), tryToWithdraw(sale)])
    expect(withdrawn.status).toBe(200)
    expect([200, 404]).toContain(confirmed.status)
    expect(await acceptedOn(sale)).toBe(0)
    await aRequest(sale, sale.buyer, 9000)
  }
})

const removeBuyersAccount = ({ buyer }: Sale) =>
  buyer.send(calls.deleteUser, { params: { userType: 'BUYER', id: buyer.id } })

test.each([
  ['a listing', raceRounds, (sale: Sale) => tryToRemoveListing(sale)],
  ['an account', raceRounds / 8, removeBuyersAccount],
])('either deletes %s or confirms its buyer, never both', async (_, times, remove) => {
  const { seller } = await aSaleAt(server, 'started')
  for (let round = 0; round < times; round++) {
    const sale = await aSaleAt(server, 'requested', {}, { seller })
    const [confirmed, deleted] = await Promise.all([accept(sale), remove(sale)])
    const isConfirmed = confirmed.status === 200
    expect([confirmed.status, deleted.status]).toEqual(isConfirmed ? [200, 409] : [404, 200])
    expect(await acceptedOn(sale)).toBe(isConfirmed ? 1 : 0)
  }
})

// R-safe-7
test('leaves only signatures and events that verify', async () => {
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})

// R-safe-7, R-deals-40
test('reports a signature whose terms were changed by a single byte', async () => {
  const [one] = await server.query<{ id: string }>('select id from signatures limit 1')
  await server.query('alter table signatures disable trigger signatures_stay')
  await server.query(`update signatures set terms = replace(terms, '"price":', '"price": ') where id = $1`, [
    one?.id,
  ])
  expect(await findEvidenceFaults(server.deps.db)).toContainEqual({ table: 'signatures', id: one?.id })
})
