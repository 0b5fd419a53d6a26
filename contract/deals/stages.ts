/**
 * The guided purchase, stage by stage (R-deals-6 to R-deals-12): the next steps, their conditions,
 * and the target of Back. Screens and server both use these tables.
 */
export const buyerStages = [0, 1, 2, 3, 4, 5, 6, 7] as const
export type BuyerStage = (typeof buyerStages)[number]
export const sellerStages = [0, 1, 2, 3] as const
export type SellerStage = (typeof sellerStages)[number]

/** The specified figures (R-deals-11). They are not linear, with 7 steps on 8 screens. */
export const buyerPercent: Record<BuyerStage, number> = {
  0: 0,
  1: 16,
  2: 32,
  3: 48,
  4: 64,
  5: 80,
  6: 96,
  7: 100,
}
/** The phase of each stage, as phones name them; 3 when all are done (R-deals-60). */
export const buyerPhase: Record<BuyerStage, number> = { 0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 2, 7: 3 }
export const sellerPercent: Record<SellerStage, number> = { 0: 0, 1: 33, 2: 66, 3: 100 }

/** Facts about a buyer's progress that the tables below use. */
export type ProgressFacts = {
  activeStep: BuyerStage
  hasTrade: boolean | null
  needsFinancing: boolean | null
  chosenTrades: number
  pendingTradeApproval: boolean
  isRequested: boolean
  /** The seller has confirmed the request, so only signing is left. */
  isConfirmed: boolean
  buyerSigned: boolean
}

type StageMove = { from: BuyerStage; to: BuyerStage; needs: (facts: ProgressFacts) => boolean }

const always = () => true
const isTradeSettled = (facts: ProgressFacts) => !facts.pendingTradeApproval

/**
 * Steps forward that a buyer can request directly. The first move from 5 to 6 is the request
 * itself, and 6 to 7 the signature.
 */
const forwardMoves: readonly StageMove[] = [
  { from: 0, to: 1, needs: (facts) => facts.hasTrade !== false },
  { from: 0, to: 3, needs: (facts) => facts.hasTrade === false },
  { from: 1, to: 2, needs: always },
  {
    from: 1,
    to: 3,
    needs: (facts) => facts.chosenTrades > 0 || facts.hasTrade === false || facts.pendingTradeApproval,
  },
  { from: 2, to: 3, needs: always },
  { from: 3, to: 4, needs: (facts) => facts.needsFinancing !== false && isTradeSettled(facts) },
  { from: 3, to: 5, needs: (facts) => facts.needsFinancing === false && isTradeSettled(facts) },
  { from: 4, to: 5, needs: isTradeSettled },
  { from: 5, to: 6, needs: (facts) => facts.isRequested },
]

/**
 * Back skips stages that were never visited (R-deals-7); while a trade waits for its offer, stage 3
 * has no Back (R-deals-12).
 */
export function previousStage(facts: ProgressFacts): BuyerStage | null {
  if (facts.buyerSigned) return null
  const back: Partial<Record<BuyerStage, BuyerStage | null>> = {
    1: 0,
    2: 1,
    3: facts.pendingTradeApproval ? null : facts.hasTrade ? 1 : 0,
    4: 3,
    5: facts.needsFinancing ? 4 : 3,
    6: 5,
  }
  return back[facts.activeStep] ?? null
}

/**
 * Returns whether a buyer may go to `target`: one step forward in the table, or Back. Staying is
 * always allowed, and a confirmed buyer may go sign from any stage.
 */
export function isStepAllowed(facts: ProgressFacts, target: BuyerStage, goBack: boolean): boolean {
  if (target === facts.activeStep) return true
  if (goBack) return previousStage(facts) === target
  if (target === 6 && facts.isConfirmed && !facts.buyerSigned) return true
  return forwardMoves.some(
    (move) => move.from === facts.activeStep && move.to === target && move.needs(facts),
  )
}

/** Returns the next step toward another stage; null when the table leads no closer. */
export function nextStepToward(
  facts: ProgressFacts,
  target: BuyerStage,
): { to: BuyerStage; isBack: boolean } | null {
  const previous = previousStage(facts)
  if (previous !== null && target <= previous) return { to: previous, isBack: true }
  const to = buyerStages.findLast(
    (stage) => facts.activeStep < stage && stage <= target && isStepAllowed(facts, stage, false),
  )
  return to === undefined ? null : { to, isBack: false }
}

/** A move names every step from 0 to its target (R-deals-8). */
export const stagesUpTo = (stage: BuyerStage): number[] => buyerStages.filter((step) => step <= stage)

/** Returns the highest whole number from 0 to 7 in a list of step numbers, or null. */
export function targetStage(steps: readonly unknown[]): BuyerStage | null {
  const known = steps.filter((step): step is BuyerStage => buyerStages.includes(step as BuyerStage))
  return known.length === 0 ? null : (Math.max(...known) as BuyerStage)
}

type BuyerFlags = {
  activeBuyerStep?: number | null
  buyerSigned?: boolean
} & Partial<Record<`buyerStep${1 | 2 | 3 | 4 | 5 | 6}`, boolean>>

/** Returns the stage of a progress record (R-deals-9). */
export function buyerStage(flags: BuyerFlags): BuyerStage {
  if (flags.buyerSigned) return 7
  const active = flags.activeBuyerStep
  if (active !== undefined && active !== null) return Math.min(Math.max(active, 0), 7) as BuyerStage
  if (flags.buyerStep6) return 6
  for (const step of [5, 4, 3, 2, 1] as const) if (flags[`buyerStep${step}`]) return (step + 1) as BuyerStage
  return 0
}

/** Returns the highest true flag, without the increment that a buyer's stage has (R-deals-10). */
export function sellerStage(flags: Partial<Record<`sellerStep${0 | 1 | 2 | 3}`, boolean>>): SellerStage {
  for (const step of [3, 2, 1] as const) if (flags[`sellerStep${step}`]) return step
  return 0
}

type DealerSteps = { completed: boolean; dealerSteps: readonly { step: string }[] }

/** The dealer has the title, so nothing is owed on the car any more. */
export const isTitleReceived = ({ completed, dealerSteps }: DealerSteps): boolean =>
  completed || dealerSteps.some(({ step }) => step === 'titleReceived')
