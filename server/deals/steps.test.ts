import * as calls from '@keyturn/contract/deals/calls.ts'
import { buyerStages } from '@keyturn/contract/deals/stages.ts'
import { expect, test } from 'vitest'
import {
  aRequest,
  aSaleAt,
  complete,
  confirm,
  goBack,
  progressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  step,
  trySteps,
  turnDown,
} from '../test/deals.ts'
import { digestOf } from '../test/digest.ts'
import { openHouse } from '../test/house.ts'
import { aWholesaler } from '../test/people.ts'
import { aTrade, aTradeAt } from '../test/trades.ts'

// Every pair of a state and a step, of both sides, against a table written by hand from the rules (R-deals-6,
// R-deals-7, R-deals-10). What is refused changes no row.

const house = await openHouse()
const wholesaler = await aWholesaler(house)

/** How a buyer comes to stand at each state, and which targets are then open forward and back. */
const buyerStates: {
  name: string
  reach: (sale: Sale) => Promise<unknown>
  forward: number[]
  back: number[]
}[] = [
  { name: 'fresh', reach: async () => {}, forward: [1], back: [] },
  { name: 'no trade', reach: (s) => step(s.buyer, s.at, { hasTrade: false }), forward: [3], back: [] },
  { name: 'at selection', reach: (s) => at(s, [1], { hasTrade: true }), forward: [2], back: [0] },
  { name: 'at trade input', reach: (s) => at(s, [1, 2], { hasTrade: true }), forward: [3], back: [1] },
  { name: 'at financing, no trade', reach: (s) => at(s, [3], { hasTrade: false }), forward: [4], back: [0] },
  {
    name: 'at financing, answered no',
    reach: async (s) => {
      await at(s, [3], { hasTrade: false })
      await step(s.buyer, s.at, { needsFinancing: false })
    },
    forward: [5],
    back: [0],
  },
  {
    name: 'at financing info',
    reach: async (s) => {
      await at(s, [3], { hasTrade: false })
      await at(s, [4], { needsFinancing: true })
    },
    forward: [5],
    back: [3],
  },
  {
    name: 'at the request, without financing',
    reach: async (s) => {
      await at(s, [3], { hasTrade: false })
      await at(s, [5], { needsFinancing: false })
    },
    forward: [],
    back: [3],
  },
  {
    name: 'at the request, with financing',
    reach: async (s) => {
      await at(s, [3], { hasTrade: false })
      await at(s, [4], { needsFinancing: true })
      await at(s, [5], {})
    },
    forward: [],
    back: [4],
  },
  { name: 'requested', reach: (s) => aRequest(s, s.buyer, 9000), forward: [], back: [5] },
  {
    name: 'requested and back at the form',
    reach: async (s) => {
      await aRequest(s, s.buyer, 9000)
      await step(s.buyer, s.at, { step: [5], goBack: true })
    },
    forward: [6],
    back: [3],
  },
  {
    name: 'signed',
    reach: async (s) => {
      await aRequest(s, s.buyer, 9000)
      await signAsBuyer(s)
    },
    forward: [7],
    back: [],
  },
  {
    name: 'confirmed and signed',
    reach: async (s) => {
      await aRequest(s, s.buyer, 9000)
      await confirm(s)
      await signAsBuyer(s)
    },
    forward: [7],
    back: [],
  },
  {
    name: 'at selection, with a trade checked',
    reach: async (s) => {
      await at(s, [1], { hasTrade: true, tradeVins: [await anAcceptedTrade(s)] })
    },
    forward: [2, 3],
    back: [0],
  },
  {
    name: 'at financing, with a trade chosen',
    reach: async (s) => {
      await at(s, [1], { hasTrade: true, tradeVins: [await anAcceptedTrade(s)] })
      await at(s, [3], {})
    },
    forward: [4],
    back: [1],
  },
  {
    name: 'at financing, while a trade waits for its offer',
    reach: async (s) => {
      await aTrade(s.buyer)
      await at(s, [1, 2, 3], { hasTrade: true })
    },
    forward: [],
    back: [],
  },
  {
    name: 'rejected',
    reach: async (s) => {
      await aRequest(s, s.buyer, 9000)
      await turnDown(s)
    },
    forward: [],
    back: [5],
  },
  {
    name: 'rejected and back at the form',
    reach: async (s) => {
      await aRequest(s, s.buyer, 9000)
      await turnDown(s)
      await goBack(s, 5)
    },
    forward: [6],
    back: [3],
  },
  { name: 'confirmed and unsigned', reach: (s) => aConfirmed(s), forward: [], back: [5] },
  {
    name: 'confirmed and back at the form',
    reach: async (s) => {
      await aConfirmed(s)
      await goBack(s, 5)
    },
    forward: [6],
    back: [3],
  },
  {
    name: 'confirmed and back at financing',
    reach: async (s) => {
      await aConfirmed(s)
      await goBack(s, 5, 3)
    },
    forward: [5, 6],
    back: [0],
  },
  {
    name: 'confirmed and back at the beginning',
    reach: async (s) => {
      await aConfirmed(s)
      await goBack(s, 5, 3, 0)
    },
    forward: [3, 6],
    back: [],
  },
  {
    name: 'held for, and unsigned',
    reach: async (s) => {
      await aConfirmed(s)
      await signAsSeller(s)
    },
    forward: [],
    back: [5],
  },
  { name: 'too late to sign', reach: (s) => aLapsed(s), forward: [], back: [5] },
]

const anAcceptedTrade = async ({ buyer }: Sale) =>
  (await aTradeAt('ACCEPTED', { owner: buyer, wholesaler })).vin
async function aConfirmed(sale: Sale) {
  await aRequest(sale, sale.buyer, 9000)
  await confirm(sale)
}
/** A hold that ran out; the first look settles it. */
async function aLapsed(sale: Sale) {
  await aConfirmed(sale)
  await signAsSeller(sale)
  await house.query(`update deals set exclusive_until = keyturn_now() where car_id = $1`, [sale.car._id])
  expect((await progressOf(sale)).exclusivityExpired).toBe(true)
}

/** Walks there one allowed move at a time, with the answers in the first. */
async function at(sale: Sale, path: number[], answers: object) {
  for (const [place, target] of path.entries())
    await step(sale.buyer, sale.at, { step: [target], ...(place === 0 ? answers : {}) })
}

test.each(buyerStates)('a buyer who is $name', async ({ reach, forward, back }) => {
  const people = await aSaleAt(house, 'started')
  const open = async () => {
    const sale = await aSaleAt(house, 'started', {}, people)
    await reach(sale)
    return sale
  }
  const ask = ({ buyer, at }: Sale, target: number, goBack: boolean) =>
    trySteps(buyer, at, { step: [target], ...(goBack ? { goBack } : {}) })
  const sale = await open()
  const { activeBuyerStep } = await progressOf(sale)
  const before = await digestOf(house)
  for (const goBack of [false, true])
    for (const target of buyerStages) {
      if ((goBack ? back : forward).includes(target)) continue
      const sent = await ask(sale, target, goBack)
      const stays = target === activeBuyerStep
      expect([target, goBack, sent.status]).toEqual([target, goBack, stays ? 200 : 409])
      if (!stays)
        expect(sent.refusal).toMatchObject({ errorCode: 'StageNotReachable', current: { activeBuyerStep } })
    }
  expect(await digestOf(house)).toEqual(before)
  for (const [goBack, targets] of [
    [false, forward],
    [true, back],
  ] as const)
    for (const target of targets) {
      const moved = await open()
      expect([target, goBack, (await ask(moved, target, goBack)).status]).toEqual([target, goBack, 200])
      expect((await progressOf(moved)).activeBuyerStep).toBe(target)
    }
})

/** How a seller's deal comes to each state, and where they then stand. */
const sellerStates: [name: string, reach: (sale: Sale) => Promise<unknown>, stands: number][] = [
  ['asked for', (s) => aRequest(s, s.buyer, 9000), 0],
  ['confirmed', aConfirmed, 1],
  ['signed by the seller', (s) => comeTo(s, 'sellerSigned'), 2],
  ['signed by both', (s) => comeTo(s, 'passed'), 2],
  ['completed', (s) => comeTo(s, 'completed'), 3],
  ['lapsed', aLapsed, 0],
]

async function comeTo(sale: Sale, stage: 'sellerSigned' | 'passed' | 'completed') {
  await aConfirmed(sale)
  await signAsSeller(sale)
  if (stage === 'sellerSigned') return
  await signAsBuyer(sale)
  if (stage === 'completed') await complete(house, sale)
}

const stepAsSeller = ({ seller, at }: Sale, target: number) =>
  seller.send(calls.updateProgress, { body: { ...at, data: { userType: 'SELLER', step: [target] } } })

test.each(sellerStates)('a seller whose sale is %s reaches nothing by a step', async (_, reach, stands) => {
  const sale = await aSaleAt(house, 'started')
  await reach(sale)
  const before = await digestOf(house)
  for (const target of buyerStages) {
    const sent = await stepAsSeller(sale, target)
    expect([target, sent.status]).toEqual([target, target <= stands ? 200 : 409])
    expect(await digestOf(house)).toEqual(before)
  }
})

test('a seller without a request that stands has no deal to step in', async () => {
  const looking = await aSaleAt(house, 'started')
  const denied = await aSaleAt(house, 'requested')
  await turnDown(denied)
  const before = await digestOf(house)
  for (const sale of [looking, denied])
    for (const target of buyerStages) expect((await stepAsSeller(sale, target)).status).not.toBe(200)
  expect(await digestOf(house)).toEqual(before)
})
