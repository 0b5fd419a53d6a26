import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aListing, aSaleAt, aVin, progressOf, step, trySteps } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer } from '../test/people.ts'

// Where the guided purchase stands, and what a step may say.

const house = await openHouse()

// R-deals-3
test('progress is created once and answers the same after, for a buyer and a live car', async () => {
  const { at, seller } = await aListing(house)
  const buyer = await aBuyer(house)
  const all = await Promise.all(
    Array.from({ length: 20 }, () => buyer.send(calls.startProgress, { body: at })),
  )
  expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(all.map(({ answer }) => answer._id)).size).toBe(1)
  const own = await seller.send(calls.startProgress, { body: at })
  expect([own.status, own.refusal.errorCode]).toEqual([409, 'OwnCar'])
  const none = await buyer.send(calls.startProgress, { body: { ...at, vin: aVin() } })
  expect(none.status).toBe(404)
})

// R-deals-5
test('the wizard stands where it stood, whoever asks from wherever', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  await step(buyer, at, { step: [0, 1, 2, 3], hasTrade: false })
  expect(await progressOf({ buyer, at } as never)).toMatchObject({
    activeBuyerStep: 3,
    hasTrade: false,
    buyerStep3: true,
    buyerStep4: false,
    status: null,
  })
  const back = await step(buyer, at, { step: [0], goBack: true })
  expect(back).toMatchObject({ activeBuyerStep: 0, buyerStep3: true })
})

test('steps that are not open are refused with the present stage and change nothing', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  for (const data of [{ step: [0, 1, 2, 3] }, { step: [5] }, { step: [6] }, { step: [7] }, { step: [2] }]) {
    const sent = await trySteps(buyer, at, data)
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StageNotReachable'])
    expect(sent.refusal.current).toMatchObject({ activeBuyerStep: 0 })
  }
  expect((await trySteps(buyer, at, { step: ['four', null, 9] })).status).toBe(200)
  expect((await progressOf({ buyer, at } as never)).activeBuyerStep).toBe(0)
})

// R-safe-9
test('a stale tab is refused with how things stand', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  const before = await progressOf({ buyer, at } as never)
  await step(buyer, at, { step: [3], hasTrade: false })
  const sent = await buyer.send(calls.updateProgress, {
    body: { ...at, version: before.version, data: { userType: 'BUYER', step: [0, 1] } },
  })
  expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  expect(sent.refusal.current).toMatchObject({ activeBuyerStep: 3 })
})

// R-safe-8
test('what the server decides is never set by a client', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  await step(buyer, at, {
    step: [],
    completed: true,
    sellerSigned: true,
    sellerSignedName: 'x',
    sellerSignature: 'x',
    pendingTradeInApproval: true,
    status: 'ACCEPTED',
  })
  expect(await progressOf({ buyer, at } as never)).toMatchObject({
    completed: false,
    sellerSigned: false,
    pendingTradeInApproval: false,
    status: null,
  })
})
