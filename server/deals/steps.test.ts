import * as calls from '@keyturn/contract/deals/calls.ts'
import { buyerStages } from '@keyturn/contract/deals/stages.ts'
import { expect, test } from 'vitest'
import {
  aRequest,
  aSaleAt,
  confirm,
  progressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  step,
  trySteps,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'

// Every pair of a state and a step, of both sides, against a table written by hand from the specification (2 s2, s4;
// decisions C4, C8, C16). What is refused changes no row.

const house = await openHouse()

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
]

/** Walks there one allowed move at a time, with the answers in the first. */
async function at(sale: Sale, path: number[], answers: object) {
  for (const [place, target] of path.entries())
    await step(sale.buyer, sale.at, { step: [target], ...(place === 0 ? answers : {}) })
}

test.each(buyerStates)('a buyer who is $name', async ({ reach, forward, back }) => {
  for (const goBack of [false, true])
    for (const target of buyerStages) {
      const sale = await aSaleAt(house, 'started')
      await reach(sale)
      const before = await progressOf(sale)
      const sent = await trySteps(sale.buyer, sale.at, { step: [target], ...(goBack ? { goBack } : {}) })
      const isStay = target === before.activeBuyerStep
      const isOpen = isStay || (goBack ? back : forward).includes(target)
      expect([target, goBack, sent.status]).toEqual([target, goBack, isOpen ? 200 : 409])
      const after = await progressOf(sale)
      if (isOpen) expect(after.activeBuyerStep).toBe(target)
      else {
        expect(sent.refusal.errorCode).toBe('StageNotReachable')
        expect({ ...after, now: '' }).toEqual({ ...before, now: '' })
      }
    }
})

const sellerStates: [SaleStage, number][] = [
  ['requested', 0],
  ['confirmed', 1],
  ['sellerSigned', 2],
  ['passed', 2],
  ['completed', 3],
]

test.each(sellerStates)(
  'a seller whose sale is %s stands at %i and reaches nothing by a step',
  async (stage, stands) => {
    for (const target of buyerStages) {
      const sale = await aSaleAt(house, stage)
      const before = await progressOf(sale)
      const sent = await sale.seller.send(calls.updateProgress, {
        body: { ...sale.at, data: { userType: 'SELLER', step: [target] } },
      })
      expect([target, sent.status]).toEqual([target, target <= stands ? 200 : 409])
      expect({ ...(await progressOf(sale)), now: '' }).toEqual({ ...before, now: '' })
    }
  },
)
