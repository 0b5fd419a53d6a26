import { expect, test } from 'vitest'
import {
  type BuyerStage,
  buyerPercent,
  buyerStage,
  buyerStages,
  isStepAllowed,
  nextStepToward,
  type ProgressFacts,
  previousStage,
  sellerPercent,
  sellerStage,
  sellerStages,
  stagesUpTo,
  targetStage,
} from './stages.ts'

const facts = (activeStep: BuyerStage, more: Partial<ProgressFacts> = {}): ProgressFacts => ({
  activeStep,
  hasTrade: null,
  needsFinancing: null,
  chosenTrades: 0,
  pendingTradeApproval: false,
  isRequested: false,
  isConfirmed: false,
  buyerSigned: false,
  ...more,
})

test('shows the specified percentages, which are not linear (R-deals-11)', () => {
  expect(buyerStages.map((stage) => buyerPercent[stage])).toEqual([0, 16, 32, 48, 64, 80, 96, 100])
  expect(sellerStages.map((stage) => sellerPercent[stage])).toEqual([0, 33, 66, 100])
})

const answers = [null, true, false]
const flags = [true, false]
const everyProgress = buyerStages.flatMap((stage) =>
  answers.flatMap((hasTrade) =>
    answers.flatMap((needsFinancing) =>
      [0, 1].flatMap((chosenTrades) =>
        flags.flatMap((pendingTradeApproval) =>
          flags.map((isRequested) =>
            facts(stage, { hasTrade, needsFinancing, chosenTrades, pendingTradeApproval, isRequested }),
          ),
        ),
      ),
    ),
  ),
)

/** Each step forward restated by hand, with its conditions. */
const steps: Record<string, (given: ProgressFacts) => boolean> = {
  '0 to 1': ({ hasTrade }) => hasTrade !== false,
  '0 to 3': ({ hasTrade }) => hasTrade === false,
  '1 to 2': () => true,
  '1 to 3': ({ chosenTrades, hasTrade, pendingTradeApproval }) =>
    chosenTrades > 0 || hasTrade === false || pendingTradeApproval,
  '2 to 3': () => true,
  '3 to 4': ({ needsFinancing, pendingTradeApproval }) => needsFinancing !== false && !pendingTradeApproval,
  '3 to 5': ({ needsFinancing, pendingTradeApproval }) => needsFinancing === false && !pendingTradeApproval,
  '4 to 5': ({ pendingTradeApproval }) => !pendingTradeApproval,
  '5 to 6': ({ isRequested }) => isRequested,
}

// R-deals-6, R-deals-12
test('allows no other step forward, whatever the progress contains', () => {
  for (const given of everyProgress)
    for (const target of buyerStages) {
      const needs = steps[`${given.activeStep} to ${target}`] ?? (() => target === given.activeStep)
      expect([given, target, isStepAllowed(given, target, false)]).toEqual([given, target, needs(given)])
    }
})

test('skips stages that were never visited when going back (R-deals-7)', () => {
  expect(previousStage(facts(0))).toBe(null)
  expect(previousStage(facts(1))).toBe(0)
  expect(previousStage(facts(2))).toBe(1)
  expect(previousStage(facts(3, { hasTrade: true }))).toBe(1)
  expect(previousStage(facts(3, { hasTrade: false }))).toBe(0)
  expect(previousStage(facts(3, { hasTrade: true, pendingTradeApproval: true }))).toBe(null)
  expect(previousStage(facts(4))).toBe(3)
  expect(previousStage(facts(5, { needsFinancing: true }))).toBe(4)
  expect(previousStage(facts(5, { needsFinancing: false }))).toBe(3)
  expect(previousStage(facts(6))).toBe(5)
})

test('lets a confirmed buyer sign from every stage, but opens no other stage early', () => {
  for (const from of buyerStages.filter((stage) => stage < 6)) {
    expect(isStepAllowed(facts(from, { isRequested: true, isConfirmed: true }), 6, false)).toBe(true)
    expect(isStepAllowed(facts(from, { isRequested: true, isConfirmed: true }), 6, true)).toBe(false)
    expect(isStepAllowed(facts(from, { isRequested: true, isConfirmed: true }), 7, false)).toBe(false)
  }
  expect(isStepAllowed(facts(0, { hasTrade: true, isRequested: true, isConfirmed: true }), 5, false)).toBe(
    false,
  )
})

test('keeps a buyer who has signed from moving to another stage', () => {
  for (const from of buyerStages)
    for (const target of buyerStages)
      if (target !== from) expect(isStepAllowed(facts(from, { buyerSigned: true }), target, true)).toBe(false)
  const signed = { buyerSigned: true, isConfirmed: true }
  for (const from of buyerStages.filter((stage) => stage < 6))
    expect(isStepAllowed(facts(from, signed), 6, false)).toBe(false)
})

// R-safe-9
test('rejects a step back without goBack, so that a stale tab never moves a deal back', () => {
  for (const from of buyerStages)
    for (const target of buyerStages)
      if (target < from) expect(isStepAllowed(facts(from, { isRequested: true }), target, false)).toBe(false)
})

test('follows the browser’s Back and Forward step by step, but no further than the table allows (R-deals-7)', () => {
  const answered = { hasTrade: false, needsFinancing: false, isRequested: true }
  expect(nextStepToward(facts(6, answered), 0)).toEqual({ to: 5, isBack: true })
  expect(nextStepToward(facts(5, answered), 0)).toEqual({ to: 3, isBack: true })
  expect(nextStepToward(facts(3, answered), 0)).toEqual({ to: 0, isBack: true })
  expect(nextStepToward(facts(3, answered), 1)).toBe(null)
  expect(nextStepToward(facts(0, answered), 6)).toEqual({ to: 3, isBack: false })
  expect(nextStepToward(facts(3, answered), 6)).toEqual({ to: 5, isBack: false })
  expect(nextStepToward(facts(5, answered), 6)).toEqual({ to: 6, isBack: false })
  expect(nextStepToward(facts(5, { ...answered, isRequested: false }), 6)).toBe(null)
  for (const target of [0, 1] as const)
    expect(nextStepToward(facts(3, { hasTrade: true, pendingTradeApproval: true }), target)).toBe(null)
  expect(nextStepToward(facts(7, { ...answered, buyerSigned: true }), 5)).toBe(null)
  for (const stage of buyerStages) expect(nextStepToward(facts(stage), stage)).toBe(null)
})

test('lists every step from 0 to the target of a move (R-deals-8)', () => {
  expect(stagesUpTo(0)).toEqual([0])
  expect(stagesUpTo(3)).toEqual([0, 1, 2, 3])
  expect(stagesUpTo(7)).toEqual([...buyerStages])
})

test('uses the highest whole number from 0 to 7 in a list of steps and ignores the rest (R-deals-8)', () => {
  expect(targetStage([0, 1, 2, 3])).toBe(3)
  expect(targetStage([3, 1])).toBe(3)
  expect(targetStage(['4', null, 1.5, -1, 8, 1e9, Number.NaN, 2])).toBe(2)
  expect(targetStage([])).toBe(null)
  expect(targetStage(['five'])).toBe(null)
})

test('reads the buyer’s stage from activeBuyerStep, or else from the flags (R-deals-9)', () => {
  expect(buyerStage({})).toBe(0)
  expect(buyerStage({ activeBuyerStep: 3, buyerStep6: true })).toBe(3)
  expect(buyerStage({ activeBuyerStep: null, buyerStep6: true })).toBe(6)
  expect(buyerStage({ buyerStep6: true })).toBe(6)
  expect(buyerStage({ buyerStep1: true, buyerStep3: true })).toBe(4)
  expect(buyerStage({ buyerStep5: true })).toBe(6)
  expect(buyerStage({ activeBuyerStep: 6, buyerSigned: true })).toBe(7)
})

test('reads the seller’s stage from the highest true flag (R-deals-10)', () => {
  expect(sellerStage({})).toBe(0)
  expect(sellerStage({ sellerStep0: true })).toBe(0)
  expect(sellerStage({ sellerStep0: true, sellerStep1: true })).toBe(1)
  expect(sellerStage({ sellerStep0: true, sellerStep1: true, sellerStep2: true })).toBe(2)
  expect(sellerStage({ sellerStep3: true })).toBe(3)
})
