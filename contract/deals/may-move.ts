import { type DealFacts, type DealMoveName, type DealParty, findMove } from './rules.ts'
import type { Progress } from './shapes.ts'

/** What a screen knows about a deal; a row of a list may know only its state. */
type Known = Pick<Progress, 'status'> &
  Partial<Pick<Progress, 'sellerSigned' | 'buyerSigned' | 'passedAt' | 'exclusivityExpired'>>

/** Whether a party may make this move, as far as the screen knows the deal; the server decides. */
export const mayMove = (known: Known, party: DealParty, move: DealMoveName): boolean =>
  findMove(factsOf(known), party, move) !== null

/** Whether the administrator may complete a deal that both have signed. */
export const mayComplete = ({ completed }: Pick<Progress, 'completed'>): boolean =>
  findMove(
    { ...factsOf({ status: completed ? 'COMPLETED' : 'ACCEPTED' }), passed: true },
    'ADMIN',
    'complete',
  ) !== null

const factsOf = ({
  status,
  sellerSigned = false,
  buyerSigned = false,
  passedAt = null,
  exclusivityExpired = false,
}: Known): DealFacts => ({
  status: status ?? 'STARTED',
  sellerSigned,
  buyerSigned,
  passed: passedAt !== null,
  // Only timed moves depend on this, and the server makes those.
  holdOver: false,
  lapsed: exclusivityExpired,
})
