import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer } from '../../../tests/support/people.ts'
import * as moves from '../../../tests/support/sales/deal-moves.ts'
import {
  aCar,
  aSaleAt,
  buyerSignature,
  completeSale,
  confirmBuyer,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  tryToUpdateProgress,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../tests/support/trades.ts'

const server = await startTestServer()

/**
 * A sale that both have signed, a second buyer with a request and a third who only started the
 * wizard.
 */
async function aQueue() {
  const sale = await aSaleAt(server, 'requested')
  const waiting = await moves.anotherRequest(server, sale)
  const starter: Sale = { ...sale, buyer: await aBuyer(server) }
  await starter.buyer.ask(calls.startProgress, { body: sale.at })
  for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(sale)
  return { sale, waiting, starter }
}
const newestNotice = async ({ buyer }: Sale) =>
  (await buyer.ask(listNotifications, { query: {} }))[0]?.message

// R-deals-29
test('ends every other deal on a sold car and rejects all moves on it', async () => {
  const { sale, waiting, starter } = await aQueue()
  await completeSale(server, sale)
  for (const { buyer, at } of [waiting, starter]) {
    const tries = [
      buyer.send(calls.startProgress, { body: at }),
      buyer.send(calls.decideBuyer, { body: { ...at, price: 9400, status: 'PENDING' } }),
      tryToUpdateProgress(buyer, at, buyerSignature()),
      sale.seller.send(calls.decideBuyer, { body: { ...at, buyerId: buyer.id, status: 'REJECTED' } }),
    ]
    for (const sent of tries) expect(await statusAndCode(sent)).toEqual([404, 'NotFound'])
  }
  expect((await moves.listRequestsOn(sale)).map(({ buyer }) => buyer._id)).toEqual([sale.buyer.id])
  expect(await readProgressOf(sale)).toMatchObject({ status: 'COMPLETED', fullySigned: true })
  const ended = await server.query(
    `select event from deal_events e join deals d on d.id = e.deal_id
     where d.car_id = $1 and d.buyer_id <> $2 and event = 'soldElsewhere'`,
    [sale.car._id, sale.buyer.id],
  )
  expect(ended).toHaveLength(2)
})

// R-deals-55
test('shows for 30 days on the dashboard of a buyer with a request that the car was sold', async () => {
  const { sale, waiting, starter } = await aQueue()
  await signAsBuyer(waiting)
  await completeSale(server, sale)
  const { buyer, at } = waiting
  const statusOf = async ({ buyer: by }: Sale, params = at) =>
    (await by.send(calls.getProgress, { params })).status
  expect(await readProgressOf(waiting)).toMatchObject({
    soldElsewhere: true,
    taken: true,
    buyerSigned: false,
    seller: { email: '', phoneNumber: '' },
  })
  expect((await moves.readTimelineOf(waiting))[0]).toMatchObject({ event: 'soldElsewhere' })
  expect(await moves.listCarsOf(buyer)).toMatchObject([{ vin: sale.car.vin, soldElsewhere: true }])
  expect(await newestNotice(waiting)).toBe(
    'The 2003 Honda Accord EX was sold to another buyer. Your offer for it has ended.',
  )
  // A buyer without a request has lost nothing.
  expect(await moves.listCarsOf(starter.buyer)).toEqual([])
  expect(await statusOf(starter)).toBe(404)
  await server.query(`update deals set withdrawn_at = withdrawn_at - interval '31 days' where sold_elsewhere`)
  expect(await moves.listCarsOf(buyer)).toEqual([])
  expect((await readProgressOf(waiting)).soldElsewhere).toBe(true)
  expect(await statusOf(waiting, { ...at, userId: starter.buyer.id })).toBe(404)
  // Neither another person's listing of the car nor a deleted listing of its seller replaces the
  // lost purchase.
  for (const seller of [starter.buyer, sale.seller]) {
    const car = await aCar(seller, { vin: sale.car.vin })
    if (seller === sale.seller) await moves.removeListing({ seller, car })
    expect((await readProgressOf(waiting)).soldElsewhere).toBe(true)
    if (seller !== sale.seller) await moves.removeListing({ seller, car })
  }
  // A new listing of the same seller starts a new purchase at the same address.
  await aCar(sale.seller, { vin: sale.car.vin })
  expect(await statusOf(waiting)).toBe(404)
  expect((await buyer.ask(calls.startProgress, { body: at })).soldElsewhere).toBe(false)
})

test('does not report a sale to a buyer who had already been denied', async () => {
  const { sale, waiting } = await aQueue()
  await turnDown(waiting)
  await completeSale(server, sale)
  const [row] = await server.query('select sold_elsewhere from deals where buyer_id = $1', [waiting.buyer.id])
  expect(row).toEqual({ sold_elsewhere: false })
})

// R-deals-55, R-everywhere-5
test('returns 409 to a buyer who signs without having seen that another buyer is confirmed', async () => {
  const sale = await aSaleAt(server, 'requested')
  const waiting = await moves.anotherRequest(server, sale)
  const { version } = await readProgressOf(waiting)
  await confirmBuyer(sale)
  const body = { ...sale.at, version, data: buyerSignature() }
  const unaware = await waiting.buyer.send(calls.updateProgress, { body })
  expect([unaware.status, unaware.error]).toMatchObject([
    409,
    { errorCode: 'StaleVersion', current: { taken: true, buyerSigned: false } },
  ])
  expect(await newestNotice(waiting)).toContain('confirmed another buyer')
  expect((await signAsBuyer(waiting)).buyerSigned).toBe(true)
})

test('rejects changes to, signatures on and decisions about a request left open on a sold car', async () => {
  const { sale, waiting } = await aQueue()
  await completeSale(server, sale)
  const { buyer, at } = waiting
  const reopen = 'update deals set withdrawn_at = null, sold_elsewhere = false where buyer_id = $1'
  await server.query(reopen, [buyer.id])
  for (const sent of [
    buyer.send(calls.decideBuyer, { body: { ...at, price: 9400, status: 'PENDING' } }),
    tryToUpdateProgress(buyer, at, buyerSignature()),
    sale.seller.send(calls.decideBuyer, { body: { ...at, buyerId: buyer.id, status: 'REJECTED' } }),
  ])
    expect(await statusAndCode(sent)).toEqual([409, 'InvalidTransition'])
})
