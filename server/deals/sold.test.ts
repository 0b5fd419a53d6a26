import * as calls from '@keyturn/contract/deals/calls.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { expect, test } from 'vitest'
import {
  aCar,
  aRequest,
  aSaleAt,
  buyerSignature,
  complete,
  confirm,
  progressOf,
  type Sale,
  sellerSignature,
  signAsBuyer,
  signAsSeller,
  trySteps,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer } from '../test/people.ts'

// What becomes of everybody else's request when a car is sold.

const house = await openHouse()

/** A sale that both have signed, a second buyer with a request and a third one who has only begun. */
async function aQueue() {
  const sale = await aSaleAt(house, 'requested')
  const waiting: Sale = { ...sale, buyer: await aBuyer(house) }
  const looking: Sale = { ...sale, buyer: await aBuyer(house) }
  await aRequest(sale, waiting.buyer, 9300)
  await looking.buyer.ask(calls.startProgress, { body: sale.at })
  await confirm(sale)
  await signAsSeller(sale)
  await signAsBuyer(sale)
  return { sale, waiting, looking }
}

// R-deals-29
test('once a car is sold every other request on it has ended, and nothing can be done with one', async () => {
  const { sale, waiting, looking } = await aQueue()
  await complete(house, sale)
  for (const { buyer, at } of [waiting, looking]) {
    const tries = await Promise.all([
      buyer.send(calls.startProgress, { body: at }),
      buyer.send(calls.decideBuyer, { body: { ...at, price: 9400, status: 'PENDING' } }),
      trySteps(buyer, at, buyerSignature()),
      sale.seller.send(calls.decideBuyer, { body: { ...at, buyerId: buyer.id, status: 'REJECTED' } }),
    ])
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  }
  const requests = await sale.seller.ask(calls.requestsOnCar, { params: { carId: sale.car._id } })
  expect(requests.map(({ buyer }) => buyer._id)).toEqual([sale.buyer.id])
  expect(await progressOf(sale)).toMatchObject({ status: 'COMPLETED', fullySigned: true })
  const ended = await house.query(
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
  await complete(house, sale)
  const { buyer, at } = waiting
  const carsOf = (of: Sale) => of.buyer.ask(calls.carsOf, { params: { userId: of.buyer.id } })
  expect(await progressOf(waiting)).toMatchObject({
    soldElsewhere: true,
    taken: true,
    buyerSigned: false,
    seller: { email: '', phoneNumber: '' },
  })
  expect((await buyer.ask(calls.timeline, { params: at }))[0]).toMatchObject({ event: 'soldElsewhere' })
  expect(await carsOf(waiting)).toMatchObject([{ vin: sale.car.vin, soldElsewhere: true }])
  const [told] = await buyer.ask(listNotifications, { query: {} })
  expect(told?.message).toBe(
    'The 2003 Honda Accord EX was sold to another buyer. Your offer for it has ended.',
  )
  // Who had asked for nothing has lost nothing.
  expect(await carsOf(looking)).toEqual([])
  expect((await looking.buyer.send(calls.getProgress, { params: at })).status).toBe(404)
  await house.query(`update deals set withdrawn_at = withdrawn_at - interval '31 days' where sold_elsewhere`)
  expect(await carsOf(waiting)).toEqual([])
  expect((await progressOf(waiting)).soldElsewhere).toBe(true)
  const elsewhere = { ...at, userId: looking.buyer.id }
  expect((await buyer.send(calls.getProgress, { params: elsewhere })).status).toBe(404)
  // Neither somebody else's listing of the car nor one that its seller has taken down again takes the place of that.
  for (const lister of [looking.buyer, sale.seller]) {
    await aCar(lister, { vin: sale.car.vin })
    const params = { userType: 'SELLER', userId: lister.id, vin: sale.car.vin }
    if (lister === sale.seller) await lister.ask(calls.deleteCar, { params })
    expect((await progressOf(waiting)).soldElsewhere).toBe(true)
    if (lister !== sale.seller) await lister.ask(calls.deleteCar, { params })
  }
  // Its seller has it back and lists it once more: the same address begins a new purchase.
  await aCar(sale.seller, { vin: sale.car.vin })
  expect((await buyer.send(calls.getProgress, { params: at })).status).toBe(404)
  expect((await buyer.ask(calls.startProgress, { body: at })).soldElsewhere).toBe(false)
})

test('who was turned down before the car was sold has lost nothing to another buyer', async () => {
  const { sale, waiting } = await aQueue()
  await sale.seller.ask(calls.decideBuyer, {
    body: { ...sale.at, buyerId: waiting.buyer.id, status: 'REJECTED' },
  })
  await complete(house, sale)
  expect((await waiting.buyer.send(calls.getProgress, { params: waiting.at })).status).toBe(404)
  const [row] = await house.query('select sold_elsewhere from deals where buyer_id = $1', [waiting.buyer.id])
  expect(row).toEqual({ sold_elsewhere: false })
})

// R-deals-55
test('who signs before hearing that another buyer is confirmed has signed nothing, and is told', async () => {
  const sale = await aSaleAt(house, 'requested')
  const waiting: Sale = { ...sale, buyer: await aBuyer(house) }
  await aRequest(sale, waiting.buyer, 9300)
  const { version } = await progressOf(waiting)
  await confirm(sale)
  const body = { ...sale.at, version, data: buyerSignature() }
  const unaware = await waiting.buyer.send(calls.updateProgress, { body })
  expect([unaware.status, unaware.refusal]).toMatchObject([
    409,
    { errorCode: 'StaleVersion', current: { taken: true, buyerSigned: false } },
  ])
  const [told] = await waiting.buyer.ask(listNotifications, { query: {} })
  expect(told?.message).toContain('confirmed another buyer')
  const aware = { ...body, version: (await progressOf(waiting)).version }
  expect((await waiting.buyer.ask(calls.updateProgress, { body: aware })).buyerSigned).toBe(true)
})

test('a request that was left on a sold car can neither be changed, signed nor decided', async () => {
  const { sale, waiting } = await aQueue()
  await complete(house, sale)
  await house.query('update deals set withdrawn_at = null, sold_elsewhere = false where buyer_id = $1', [
    waiting.buyer.id,
  ])
  const { buyer, at, car } = waiting
  const decide = (status: string) =>
    sale.seller.send(calls.decideBuyer, { body: { ...at, buyerId: buyer.id, status } })
  for (const sent of [
    await buyer.send(calls.decideBuyer, { body: { ...at, price: 9400, status: 'PENDING' } }),
    await trySteps(buyer, at, buyerSignature()),
    await decide('REJECTED'),
  ])
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'InvalidTransition'])
  expect((await decide('ACCEPTED')).status).toBe(409)
  expect((await buyer.send(calls.requestCar, { body: { vin: car.vin, price: 9400 } })).status).toBe(404)
  const again = await sale.seller.send(calls.updateProgress, { body: { ...at, data: sellerSignature() } })
  expect(again.answer.status).toBe('COMPLETED')
})

test('a car that is sold may be listed and asked for anew', async () => {
  const { sale, waiting } = await aQueue()
  await complete(house, sale)
  const { car, at } = await aSaleAt(house, 'started', { vin: sale.car.vin })
  expect((await aRequest({ car, at }, waiting.buyer, 9000)).status).toBe('PENDING')
})
