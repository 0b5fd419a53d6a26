import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import type { Moves } from './use-moves.ts'

/** Lets a buyer continue whose trade was rejected or takes too long (R-deals-12). */
export function WithoutTrade({ moves, stage = 3 }: { moves: Moves; stage?: 3 | 5 }) {
  return (
    <WorkButton variant="subtle" onClick={() => moves.go(stage, { hasTrade: false, tradeVins: [] })}>
      {buyingTexts.withoutTrade}
    </WorkButton>
  )
}
