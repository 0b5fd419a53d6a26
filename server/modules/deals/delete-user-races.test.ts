import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { addTrade, moveTrade } from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { raceRounds } from '../../../tests/cluster/rounds.ts'
import type { WireInput } from '../../../tests/support/browser.ts'
import { aBuyer, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { aCarForm, aListing, aRequest, step } from '../../../tests/support/sales/deals.ts'
import { openSecondSession } from '../../../tests/support/second-session.ts'
import { startTestServer, type TestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeForm, statusAndCode } from '../../../tests/support/trades.ts'

// Accounts are deleted while requests of their owners are in flight: whatever these requests add is
// deleted as well, or rejected.

const server = await startTestServer()

const removeAccount = (person: TestPerson) =>
  person.send(calls.deleteUser, { params: { userType: 'BUYER', id: person.id } })

/** The cars and requests of this person that other people would still see. */
const leftoversOf = ({ id }: TestPerson) =>
  server.query(
    `select id from cars where seller_id = $1 and deleted_at is null
     union all select id from deals where buyer_id = $1 and withdrawn_at is null`,
    [id],
  )

// R-everywhere-20
test('deletes a seller and their buyer concurrently, while both are active, without a deadlock', async () => {
  for (let round = 0; round < raceRounds; round++) {
    const [seller, buyer] = [await aBuyer(server), await aBuyer(server)]
    const sale = { ...(await aListing(server, {}, seller)), buyer }
    await aRequest(sale, buyer, 9000)
    const sent = await Promise.all([
      removeAccount(seller),
      removeAccount(buyer),
      buyer.send(calls.decideBuyer, { body: { ...sale.at, price: 9100, status: 'PENDING' } }),
      seller.send(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice: 9200 } }),
    ])
    for (const { status, body } of sent) expect(status, body).toBeLessThan(500)
    expect(sent.slice(0, 2).map(({ status }) => status)).toEqual([200, 200])
    expect([await leftoversOf(seller), await leftoversOf(buyer)]).toEqual([[], []])
  }
})

// In the following cases, a request waits for an account deletion that has not committed, and then
// sees its effect.

const meanwhile = await openSecondSession(server)

type Sent = [call: Endpoint, input: WireInput]
type Prepare = (by: TestPerson) => Promise<Sent>
const cases: [name: string, by: (server: TestServer) => Promise<TestPerson>, Prepare][] = [
  ['a car', aBuyer, async () => [addCar, { body: aCarForm() }]],
  ['a trade', aBuyer, async () => [addTrade, { body: aTradeForm() }]],
  ['a purchase', aBuyer, async () => [calls.startProgress, { body: (await aListing(server)).at }]],
  ['a request', aBuyer, aRequestOf],
  ['an offer', aWholesaler, anOfferOf],
]
async function aRequestOf(buyer: TestPerson): Promise<Sent> {
  const { at, car } = await aListing(server)
  await buyer.ask(calls.startProgress, { body: at })
  await step(buyer, at, { step: [0, 1, 2, 3], hasTrade: false })
  await step(buyer, at, { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  return [calls.requestCar, { body: { vin: car.vin, price: 9000, trades: [] } }]
}
async function anOfferOf(): Promise<Sent> {
  const { _id: tradeId } = await aTrade(await aBuyer(server))
  return [moveTrade, { params: { tradeId }, body: { status: 'OFFERED', price: 20_000 } }]
}

test.each(cases)('rejects %s of a person whose deletion is about to commit', async (_, by, prepare) => {
  const person = await by(server)
  const [call, input] = await prepare(person)
  const sent = meanwhile(person.id, 'email = null, deleted_at = keyturn_now()', () =>
    person.send(call, input),
  )
  expect(await statusAndCode(sent)).toEqual([401, 'InvalidAccessToken'])
})
