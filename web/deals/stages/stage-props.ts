import type { Progress } from '@keyturn/contract/deals/calls.ts'
import type { Moves } from './moves.ts'
import type { RequestDialog } from './request-actions.tsx'

export type StageProps = {
  progress: Progress
  moves: Moves
  /** Opens what changes or ends the request that stands. */
  onAsk: (dialog: RequestDialog) => void
}
