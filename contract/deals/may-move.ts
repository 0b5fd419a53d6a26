import { type DealFacts, type DealMoveName, type DealParty, findDealMove } from './rules.ts'
import type { Progress } from './shapes.ts'

/** The facts that a screen knows about a deal; a row of a list may know only its state. */
type Known = Pick<Progress, 'status'> &
  Partial<Pick<Progress, 'sellerSigned' | 'buyerSigned' | 'passedAt' | 'exclusivityExpired' | 'isPaused'>>

/**
 * Returns whether a party may make this move, as far as the screen knows the deal; the server
 * decides.
 */
export const mayMove = (known: Known, party: DealParty, move: DealMoveName): boolean =>
  findDealMove(factsOf(known), party, move) !== null

/** Returns whether the administrator may complete a deal that both have signed. */
export const mayComplete = ({ completed }: Pick<Progress, 'completed'>): boolean =>
  findDealMove(
    { ...factsOf({ status: completed ? 'COMPLETED' : 'ACCEPTED' }), isPassed: true },
    'ADMIN',
    'complete',
  ) !== null

const factsOf = ({
  status,
  sellerSigned = false,
  buyerSigned = false,
  passedAt = null,
  exclusivityExpired = false,
  isPaused = false,
}: Known): DealFacts => ({
  status: status ?? 'STARTED',
  sellerSigned,
  buyerSigned,
  isPassed: passedAt !== null,
  // Only timed moves depend on this, and only the server makes them.
  hasHoldEnded: false,
  hasLapsed: exclusivityExpired,
  isPaused,
})
