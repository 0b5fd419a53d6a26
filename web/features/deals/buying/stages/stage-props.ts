import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import type { ReactNode } from 'react'
import type { RequestDialog } from './request-actions.tsx'
import type { StageMoves } from './use-stage-moves.ts'

export type StageProps = {
  progress: Progress
  /** When `progress` was read, according to this device's clock. */
  readAt: number
  moves: StageMoves
  /** Opens the dialog that changes or ends the active request. */
  onAsk: (dialog: RequestDialog) => void
  /** Cards below the signature's stage and the final one, which are folded. */
  children?: ReactNode
}
