import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { buyerStages } from '@keyturn/contract/deals/stages.ts'
import { expect, test } from 'vitest'
import { aWholesaler } from '../../../tests/support/people.ts'
import {
  aRequest,
  aSaleAt,
  completeSale,
  confirmBuyer,
  goBack,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  step,
  tryToUpdateProgress,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt } from '../../../tests/support/trades.ts'

// Every pair of a state and a step, of both sides, is compared with a table written by hand from
// R-deals-6, R-deals-7 and R-deals-10. A rejected step changes no row.

const server = await startTestServer()
const wholesaler = await aWholesaler(server)

type Act = (sale: Sale) => Promise<unknown>
const answer =
  (answers: object): Act =>
  ({ buyer, at }) =>
    step(buyer, at, answers)
const moveTo = (target: number, answers: object = {}) => answer({ step: [target], ...answers })
const moveBack =
  (...stages: number[]): Act =>
  (sale) =>
    goBack(sale, ...stages)
const [noTrade, withTrade] = [{ hasTrade: false }, { hasTrade: true }]
const [noLoan, withLoan] = [{ needsFinancing: false }, { needsFinancing: true }]
const request: Act = (sale) => aRequest(sale, sale.buyer, 9000)
const addTrade: Act = ({ buyer }) => aTrade(buyer)
const checkTrade: Act = async ({ buyer, at }) => {
  const { vin } = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler })
  await step(buyer, at, { step: [1], hasTrade: true, tradeVins: [vin] })
}
/** Ends the hold; the next read settles it. */
const endHold: Act = async (sale) => {
  await server.query(`update deals set exclusive_until = keyturn_now() where car_id = $1`, [sale.car._id])
  expect((await readProgressOf(sale)).exclusivityExpired).toBe(true)
}

/** The actions that lead to each state, and the targets that are then open forward and back. */
const buyerStates: [name: string, acts: Act[], forward: number[], back: number[]][] = [
  ['fresh', [], [1], []],
  ['no trade', [answer(noTrade)], [3], []],
  ['at selection', [moveTo(1, withTrade)], [2], [0]],
  ['at trade input', [moveTo(1, withTrade), moveTo(2)], [3], [1]],
  ['at selection, with a trade checked', [checkTrade], [2, 3], [0]],
  ['at financing, with a trade chosen', [checkTrade, moveTo(3)], [4], [1]],
  ['at financing, while a trade waits', [addTrade, moveTo(1, withTrade), moveTo(2), moveTo(3)], [], []],
  ['at financing, no trade', [moveTo(3, noTrade)], [4], [0]],
  ['at financing, answered no', [moveTo(3, noTrade), answer(noLoan)], [5], [0]],
  ['at financing info', [moveTo(3, noTrade), moveTo(4, withLoan)], [5], [3]],
  ['at the request, without financing', [moveTo(3, noTrade), moveTo(5, noLoan)], [], [3]],
  ['at the request, with financing', [moveTo(3, noTrade), moveTo(4, withLoan), moveTo(5)], [], [4]],
  ['requested', [request], [], [5]],
  ['requested and back at the form', [request, moveBack(5)], [6], [3]],
  ['signed', [request, signAsBuyer], [7], []],
  ['confirmed and signed', [request, confirmBuyer, signAsBuyer], [7], []],
  ['rejected', [request, turnDown], [], [5]],
  ['rejected and back at the form', [request, turnDown, moveBack(5)], [6], [3]],
  ['confirmed and unsigned', [request, confirmBuyer], [], [5]],
  ['confirmed and back at the form', [request, confirmBuyer, moveBack(5)], [6], [3]],
  ['confirmed and back at financing', [request, confirmBuyer, moveBack(5, 3)], [5, 6], [0]],
  ['confirmed and back at the beginning', [request, confirmBuyer, moveBack(5, 3, 0)], [3, 6], []],
  ['held for, and unsigned', [request, confirmBuyer, signAsSeller], [], [5]],
  ['too late to sign', [request, confirmBuyer, signAsSeller, endHold], [], [5]],
]

test.each(buyerStates)('opens exactly the specified steps to a buyer: %s', async (_, acts, forward, back) => {
  const people = await aSaleAt(server, 'started')
  const reachState = async () => {
    const sale = await aSaleAt(server, 'started', {}, people)
    for (const act of acts) await act(sale)
    return sale
  }
  const ask = ({ buyer, at }: Sale, target: number, goBack: boolean) =>
    tryToUpdateProgress(buyer, at, { step: [target], ...(goBack ? { goBack } : {}) })
  const sale = await reachState()
  const { activeBuyerStep } = await readProgressOf(sale)
  const before = await digestTables(server)
  for (const goBack of [false, true])
    for (const target of buyerStages) {
      if ((goBack ? back : forward).includes(target)) continue
      const sent = await ask(sale, target, goBack)
      const isCurrent = target === activeBuyerStep
      expect([target, goBack, sent.status]).toEqual([target, goBack, isCurrent ? 200 : 409])
      if (!isCurrent)
        expect(sent.error).toMatchObject({ errorCode: 'StageNotReachable', current: { activeBuyerStep } })
    }
  expect(await digestTables(server)).toEqual(before)
  for (const [goBack, targets] of [
    [false, forward],
    [true, back],
  ] as const)
    for (const target of targets) {
      const moved = await reachState()
      expect([target, goBack, (await ask(moved, target, goBack)).status]).toEqual([target, goBack, 200])
      expect((await readProgressOf(moved)).activeBuyerStep).toBe(target)
    }
})

/** The actions that lead to each state, and the seller's stage in it. */
const sellerStates: [name: string, acts: Act[], stage: number][] = [
  ['requested', [], 0],
  ['confirmed', [confirmBuyer], 1],
  ['signed by the seller', [confirmBuyer, signAsSeller], 2],
  ['signed by both', [confirmBuyer, signAsSeller, signAsBuyer], 2],
  ['completed', [confirmBuyer, signAsSeller, signAsBuyer, (sale) => completeSale(server, sale)], 3],
  ['lapsed', [confirmBuyer, signAsSeller, endHold], 0],
]

const stepAsSeller = ({ seller, at }: Sale, target: number) =>
  seller.send(calls.updateProgress, { body: { ...at, data: { userType: 'SELLER', step: [target] } } })

test.each(sellerStates)('does not move a seller by a step: %s', async (_, acts, stage) => {
  const sale = await aSaleAt(server, 'requested')
  for (const act of acts) await act(sale)
  const before = await digestTables(server)
  for (const target of buyerStages) {
    const sent = await stepAsSeller(sale, target)
    expect([target, sent.status]).toEqual([target, target <= stage ? 200 : 409])
    expect(await digestTables(server)).toEqual(before)
  }
})

test('rejects a seller’s step without an active request', async () => {
  const started = await aSaleAt(server, 'started')
  const denied = await aSaleAt(server, 'requested')
  await turnDown(denied)
  const before = await digestTables(server)
  for (const sale of [started, denied])
    for (const target of buyerStages) expect((await stepAsSeller(sale, target)).status).not.toBe(200)
  expect(await digestTables(server)).toEqual(before)
})
