import * as calls from '@keyturn/contract/deals/calls.ts'
import { escapeHtml } from '@keyturn/contract/kit/html.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { describe, expect, test } from 'vitest'
import {
  aRequest,
  aSaleAt,
  complete,
  confirm,
  progressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, mailsTo, type TestPerson } from '../test/people.ts'

// Who learns of what by mail. Everyone's letters are looked at, so that nobody is told what is not theirs.

const house = await openHouse()

type Queue = Sale & { waiting: TestPerson }
/** The newest letter first. */
type Letters = string | string[]
type Told = { seller?: Letters; buyer?: Letters; waiting?: Letters }

const ways: [what: string, from: SaleStage, move: (queue: Queue) => Promise<unknown>, told: Told][] = [
  [
    'the confirmed buyer is released',
    'confirmed',
    turnDown,
    { buyer: 'was called off', waiting: 'is free again' },
  ],
  [
    'the confirmed buyer withdraws',
    'confirmed',
    ({ buyer, car }) =>
      buyer.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: buyer.id, vin: car.vin } }),
    { seller: 'withdrew the request', waiting: 'is free again' },
  ],
  [
    'the 72 hours end',
    'sellerSigned',
    async (queue) => {
      await house.moveClock('73 hours')
      await house.query(`update access_tokens set expires_at = now() + interval '90 hours'`)
      await house.query(`update sessions set expires_at = now() + interval '90 hours'`)
      await progressOf(queue)
      await house.moveClock('0 hours')
    },
    { seller: '72 hours', buyer: '72 hours', waiting: 'is free again' },
  ],
  ['one who only asked is denied', 'requested', turnDown, { buyer: 'was denied' }],
  [
    'one who only asked withdraws',
    'requested',
    ({ buyer, car }) =>
      buyer.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: buyer.id, vin: car.vin } }),
    { seller: 'withdrew the request' },
  ],
  [
    'one who only asked deletes the account',
    'requested',
    ({ buyer }) => buyer.ask(calls.deleteUser, { params: { userType: 'BUYER', id: buyer.id } }),
    { seller: 'withdrew the request' },
  ],
  [
    'the seller takes the listing down',
    'requested',
    ({ seller, car }) =>
      seller.ask(calls.deleteCar, { params: { userType: 'SELLER', userId: seller.id, vin: car.vin } }),
    { buyer: 'no longer for sale', waiting: 'no longer for sale' },
  ],
  [
    'the seller deletes the account',
    'requested',
    ({ seller }) => seller.ask(calls.deleteUser, { params: { userType: 'SELLER', id: seller.id } }),
    { buyer: 'no longer for sale', waiting: 'no longer for sale' },
  ],
  [
    'the seller changes a term of the car',
    'requested',
    ({ seller, car }) => seller.ask(calls.editCar, { body: { vin: car.vin, mileage: 92_000 } }),
    { buyer: 'changed the details', waiting: 'changed the details' },
  ],
  [
    'the seller changes what is no term',
    'requested',
    ({ seller, car }) => seller.ask(calls.editCar, { body: { vin: car.vin, color: 'Blue' } }),
    {},
  ],
  [
    'the dealer completes the sale',
    'confirmed',
    async (queue) => {
      await signAsSeller(queue)
      await signAsBuyer(queue)
      await complete(house, queue)
    },
    {
      seller: ['is complete', 'Signed by both of you'],
      buyer: ['is complete', 'Signed by both of you', 'your 72 hours have begun'],
      waiting: 'was sold',
    },
  ],
]

// R-notifications-6
describe('by mail, and nobody else', () => {
  test.each(ways)('%s', async (_, from, move, told) => {
    const queue = await aQueueAt(from)
    const people = { seller: queue.seller, buyer: queue.buyer, waiting: queue.waiting }
    const before = await subjectsOf(people)
    await move(queue)
    const after = await subjectsOf(people)
    for (const name of ['seller', 'buyer', 'waiting'] as const) {
      const news = after[name].slice(0, after[name].length - before[name].length)
      const expected = told[name]
      const each = [expected ?? []].flat().map((words) => expect.stringContaining(words))
      expect([name, news]).toEqual([name, each])
    }
  })
})

test('when one of the waiting withdraws, the seller does not read that the car is free', async () => {
  const { seller, waiting, car } = await aQueueAt('confirmed')
  const textsNow = async () => (await mailsTo(house, seller.email))[0]?.text
  await waiting.ask(calls.deleteCar, { params: { userType: 'BUYER', userId: waiting.id, vin: car.vin } })
  expect(await textsNow()).toContain('no longer wants to buy')
  expect(await textsNow()).not.toContain('free')
})

test('what is taken down or withdrawn is what the person saw', async () => {
  const { seller, buyer, car } = await aSaleAt(house, 'started')
  const shown = car.version
  await aRequest({ at: { userId: seller.id, vin: car.vin }, car }, buyer, 9000)
  const late = await seller.send(calls.deleteCar, {
    params: { userType: 'SELLER', userId: seller.id, vin: car.vin },
    query: { version: shown },
  })
  expect([late.status, late.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  const [asked] = await buyer.ask(calls.carsOf, { params: { userId: buyer.id } })
  await seller.ask(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 9900 } })
  const params = { userType: 'BUYER', userId: buyer.id, vin: car.vin }
  const query = { version: asked?.version ?? 0 }
  const stale = await buyer.send(calls.deleteCar, { params, query })
  expect([stale.status, stale.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  const [now] = await buyer.ask(calls.carsOf, { params: { userId: buyer.id } })
  expect((await buyer.send(calls.deleteCar, { params, query: { version: now?.version ?? 0 } })).status).toBe(
    200,
  )
})

/** A sale with a second buyer, who has asked for the same car. */
async function aQueueAt(stage: SaleStage): Promise<Queue> {
  const sale = await aSaleAt(house, 'requested')
  const waiting = await aBuyer(house, { firstName: 'Wanda', lastName: 'Waits' })
  await aRequest(sale, waiting, 9100)
  if (stage !== 'requested') await confirm(sale)
  if (stage === 'sellerSigned') await signAsSeller(sale)
  return { ...sale, waiting }
}

async function subjectsOf(people: Record<'seller' | 'buyer' | 'waiting', TestPerson>) {
  const of = async ({ email }: TestPerson) => (await mailsTo(house, email)).map(({ subject }) => subject)
  return { seller: await of(people.seller), buyer: await of(people.buyer), waiting: await of(people.waiting) }
}

// R-notifications-11
test('a stranger’s name and words stay theirs in every letter, and take no room of ours', async () => {
  const firstName = 'Keyturn: your sale is on hold, see evil.example/pay '.repeat(9).slice(0, 255).trim()
  const sale = await aSaleAt(
    house,
    'requested',
    { make: 'https://evil.example', color: 'Blue' },
    {
      buyer: await aBuyer(house, { firstName, lastName: 'Byrd' }),
    },
  )
  const message = 'Pay here: https://evil.example/pay\n\nGo To Your Dashboard: https://evil.example'
  await sale.seller.ask(calls.decideBuyer, {
    body: { ...sale.at, buyerId: sale.buyer.id, status: 'REJECTED', message },
  })
  await sale.buyer.ask(calls.deleteCar, {
    params: { userType: 'BUYER', userId: sale.buyer.id, vin: sale.at.vin },
  })
  const [toSeller] = await mailsTo(house, sale.seller.email)
  const [toBuyer] = await mailsTo(house, sale.buyer.email)
  expect(toSeller?.subject).toBe(
    'Keyturn: your sale is on hold, see evil… withdrew the request for your 2003 https://evil.example Accord EX',
  )
  for (const { text = '', html = '' } of [toSeller ?? {}, toBuyer ?? {}] as {
    text?: string
    html?: string
  }[]) {
    const ours = text.match(/\w+:\/\/\S+/g) ?? []
    expect(ours.map((link) => new URL(link).origin)).toEqual(
      Array(2).fill(house.deps.config.publicUrl.origin),
    )
    const [place, stop] = ours.map((link) => `href="${escapeHtml(link)}"`)
    expect(html.match(/href="[^"]*"/g)).toEqual([place, place, stop])
    expect(html).not.toMatch(/evil\.example(?!.*<\/title>)/)
  }
  expect(toBuyer?.text.replaceAll('\u2060', '')).toContain(
    'The seller wrote: “Pay here: https://evil.example/pay Go To Your Dashboard: https://evil.example”',
  )
})

// R-notifications-17
test('what is told of a purchase leads to it, and to the list of them once its buyer took the request back', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  const placeOfNewest = async () => (await sale.buyer.ask(listNotifications))[0]?.place?.kind
  expect(await placeOfNewest()).toBe('deal')
  await sale.buyer.ask(calls.deleteCar, {
    params: { userType: 'BUYER', userId: sale.buyer.id, vin: sale.car.vin },
  })
  expect(await placeOfNewest()).toBe('purchases')
})
