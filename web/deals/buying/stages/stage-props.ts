import type { Progress } from '@keyturn/contract/deals/calls.ts'
import type { RequestDialog } from './request-actions.tsx'
import type { Moves } from './use-moves.ts'

export type StageProps = {
  progress: Progress
  moves: Moves
  /** Opens what changes or ends the request that stands. */
  onAsk: (dialog: RequestDialog) => void
}
