import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { CreditFacts } from '../tax-credit-card.tsx'
import { TradeTimeline } from '../trade-timeline.tsx'
import { wholesalersTurn } from '../turns.ts'

/** A request's history as a wholesaler sees it. */
export function HistoryDialog({ trade, onClose }: { trade: Trade; onClose: () => void }) {
  return (
    <Dialog title={tradeTexts.wholesaler.historyOf(carName(trade))} onClose={onClose}>
      <TradeTimeline tradeId={trade._id} turn={wholesalersTurn(trade)} />
      {trade.price !== null && (
        <CreditFacts
          price={trade.price}
          zipCode={trade.zipCode}
          rate={trade.taxRate}
          estimate={tradeTexts.wholesaler.estimate}
        />
      )}
    </Dialog>
  )
}
