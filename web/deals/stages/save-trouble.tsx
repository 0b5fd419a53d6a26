import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Trouble } from '../../ui/trouble.tsx'
import { useInView } from './in-view.ts'
import type { Unsaved } from './moves.ts'

/** Stands beside the buttons and blocks nothing; what was typed is still there (decisions C24). */
export const SaveTrouble = ({ unsaved }: { unsaved: Unsaved | null }) =>
  unsaved && <Unsuccessful {...unsaved} />

function Unsuccessful({ refusal, again }: Unsaved) {
  const { saveFailed, tryAgain } = dealTexts.buyer
  const place = useInView<HTMLDivElement>()
  return (
    <div ref={place}>
      <Trouble title={saveFailed} onRetry={() => void again()} retry={tryAgain}>
        {refusal.message}
      </Trouble>
    </div>
  )
}
