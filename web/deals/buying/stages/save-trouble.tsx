import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { Trouble } from '../../../ui/feedback/trouble.tsx'
import type { Unsaved } from './use-moves.ts'

const { saveFailed } = buyingTexts

/** Shown beside the buttons without blocking anything; what was typed is still there (R-deals-13). */
export const SaveTrouble = ({ unsaved }: { unsaved: Unsaved | null }) =>
  unsaved && (
    <Trouble title={saveFailed} onRetry={() => void unsaved.again()}>
      {unsaved.refusal.message}
    </Trouble>
  )
