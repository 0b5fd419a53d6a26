import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer } from '../../../tests/support/people.ts'
import * as moves from '../../../tests/support/sales/deal-moves.ts'
import {
  aCar,
  aSaleAt,
  buyerSignature,
  complete,
  confirm,
  progressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  trySteps,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { codeOf } from '../../../tests/support/trades.ts'

// What becomes of everybody else's request when a car is sold.

const server = await startTestServer()

/** A sale that both have signed, a second buyer with a request and a third one who has only begun. */
async function aQueue() {
  const sale = await aSaleAt(server, 'requested')
  const waiting = await moves.anotherRequest(server, sale)
  const looking: Sale = { ...sale, buyer: await aBuyer(server) }
  await looking.buyer.ask(calls.startProgress, { body: sale.at })
  for (const act of [confirm, signAsSeller, signAsBuyer]) await act(sale)
  return { sale, waiting, looking }
}
const newestNotice = async ({ buyer }: Sale) =>
  (await buyer.ask(listNotifications, { query: {} }))[0]?.message

// R-deals-29
test('once a car is sold every other request on it has ended, and nothing can be done with one', async () => {
  const { sale, waiting, looking } = await aQueue()
  await complete(server, sale)
  for (const { buyer, at } of [waiting, looking]) {
    const tries = [
      buyer.send(calls.startProgress, { body: at }),
      buyer.send(calls.decideBuyer, { body: { ...at, price: 9400, status: 'PENDING' } }),
      trySteps(buyer, at, buyerSignature()),
      sale.seller.send(calls.decideBuyer, { body: { ...at, buyerId: buyer.id, status: 'REJECTED' } }),
    ]
    for (const sent of tries) expect(await codeOf(sent)).toEqual([404, 'NotFound'])
  }
  expect((await moves.requestsOn(sale)).map(({ buyer }) => buyer._id)).toEqual([sale.buyer.id])
  expect(await progressOf(sale)).toMatchObject({ status: 'COMPLETED', fullySigned: true })
  const ended = await server.query(
    `select event from deal_events e join deals d on d.id = e.deal_id
     where d.car_id = $1 and d.buyer_id <> $2 and event = 'soldElsewhere'`,
    [sale.car._id, sale.buyer.id],
  )
  expect(ended).toHaveLength(2)
})

// R-deals-55
test('who waited for a car that was sold still reads what happened, for a while on the dashboard too', async () => {
  const { sale, waiting, looking } = await aQueue()
  await signAsBuyer(waiting)
  await complete(server, sale)
  const { buyer, at } = waiting
  const statusOf = async ({ buyer: by }: Sale, params = at) =>
    (await by.send(calls.getProgress, { params })).status
  expect(await progressOf(waiting)).toMatchObject({
    soldElsewhere: true,
    taken: true,
    buyerSigned: false,
    seller: { email: '', phoneNumber: '' },
  })
  expect((await moves.timelineOf(waiting))[0]).toMatchObject({ event: 'soldElsewhere' })
  expect(await moves.carsOf(buyer)).toMatchObject([{ vin: sale.car.vin, soldElsewhere: true }])
  expect(await newestNotice(waiting)).toBe(
    'The 2003 Honda Accord EX was sold to another buyer. Your offer for it has ended.',
  )
  // Who had asked for nothing has lost nothing.
  expect(await moves.carsOf(looking.buyer)).toEqual([])
  expect(await statusOf(looking)).toBe(404)
  await server.query(`update deals set withdrawn_at = withdrawn_at - interval '31 days' where sold_elsewhere`)
  expect(await moves.carsOf(buyer)).toEqual([])
  expect((await progressOf(waiting)).soldElsewhere).toBe(true)
  expect(await statusOf(waiting, { ...at, userId: looking.buyer.id })).toBe(404)
  // Neither somebody else's listing of the car nor one that its seller has taken down again takes the place of that.
  for (const seller of [looking.buyer, sale.seller]) {
    const car = await aCar(seller, { vin: sale.car.vin })
    if (seller === sale.seller) await moves.removeListing({ seller, car })
    expect((await progressOf(waiting)).soldElsewhere).toBe(true)
    if (seller !== sale.seller) await moves.removeListing({ seller, car })
  }
  // Its seller has it back and lists it once more: the same address begins a new purchase.
  await aCar(sale.seller, { vin: sale.car.vin })
  expect(await statusOf(waiting)).toBe(404)
  expect((await buyer.ask(calls.startProgress, { body: at })).soldElsewhere).toBe(false)
})

test('who was turned down before the car was sold has lost nothing to another buyer', async () => {
  const { sale, waiting } = await aQueue()
  await turnDown(waiting)
  await complete(server, sale)
  const [row] = await server.query('select sold_elsewhere from deals where buyer_id = $1', [waiting.buyer.id])
  expect(row).toEqual({ sold_elsewhere: false })
})

// R-deals-55, R-everywhere-5
test('who signs before hearing that another buyer is confirmed has signed nothing, and is told', async () => {
  const sale = await aSaleAt(server, 'requested')
  const waiting = await moves.anotherRequest(server, sale)
  const { version } = await progressOf(waiting)
  await confirm(sale)
  const body = { ...sale.at, version, data: buyerSignature() }
  const unaware = await waiting.buyer.send(calls.updateProgress, { body })
  expect([unaware.status, unaware.refusal]).toMatchObject([
    409,
    { errorCode: 'StaleVersion', current: { taken: true, buyerSigned: false } },
  ])
  expect(await newestNotice(waiting)).toContain('confirmed another buyer')
  expect((await signAsBuyer(waiting)).buyerSigned).toBe(true)
})

test('a request that was left on a sold car can neither be changed, signed nor decided', async () => {
  const { sale, waiting } = await aQueue()
  await complete(server, sale)
  const { buyer, at } = waiting
  const left = 'update deals set withdrawn_at = null, sold_elsewhere = false where buyer_id = $1'
  await server.query(left, [buyer.id])
  for (const sent of [
    buyer.send(calls.decideBuyer, { body: { ...at, price: 9400, status: 'PENDING' } }),
    trySteps(buyer, at, buyerSignature()),
    sale.seller.send(calls.decideBuyer, { body: { ...at, buyerId: buyer.id, status: 'REJECTED' } }),
  ])
    expect(await codeOf(sent)).toEqual([409, 'InvalidTransition'])
})
