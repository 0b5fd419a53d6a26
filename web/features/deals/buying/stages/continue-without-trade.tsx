import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import type { StageMoves } from './use-stage-moves.ts'

/** Lets a buyer continue if their trade was rejected or takes too long (R-deals-12). */
export function ContinueWithoutTrade({ moves, stage = 3 }: { moves: StageMoves; stage?: 3 | 5 }) {
  return (
    <WorkButton variant="subtle" onClick={() => moves.saveAndMove(stage, { hasTrade: false, tradeVins: [] })}>
      {buyingTexts.withoutTrade}
    </WorkButton>
  )
}
