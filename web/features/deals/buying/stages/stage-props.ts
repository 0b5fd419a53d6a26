import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import type { RequestDialog } from './request-actions.tsx'
import type { StageMoves } from './use-stage-moves.ts'

export type StageProps = {
  progress: Progress
  moves: StageMoves
  /** Opens the dialog that changes or ends the active request. */
  onAsk: (dialog: RequestDialog) => void
}
