import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { WorkButton } from '../../../ui/feedback/work-button.tsx'
import type { Moves } from './use-moves.ts'

/** The way on for a person whose trade comes to nothing, or takes too long (R-deals-12). */
export function WithoutTrade({ moves, stage = 3 }: { moves: Moves; stage?: 3 | 5 }) {
  return (
    <WorkButton variant="subtle" onClick={() => moves.go(stage, { hasTrade: false, tradeVins: [] })}>
      {dealTexts.buyer.withoutTrade}
    </WorkButton>
  )
}
