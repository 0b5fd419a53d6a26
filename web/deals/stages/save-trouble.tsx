import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Trouble } from '../../ui/trouble.tsx'
import type { Unsaved } from './moves.ts'

/** Stands beside the buttons and blocks nothing; what was typed is still there (decisions C24). */
export function SaveTrouble({ unsaved }: { unsaved: Unsaved | null }) {
  if (!unsaved) return null
  const { saveFailed, tryAgain } = dealTexts.buyer
  return (
    <Trouble title={saveFailed} onRetry={() => void unsaved.again()} retry={tryAgain}>
      {unsaved.refusal.message}
    </Trouble>
  )
}
