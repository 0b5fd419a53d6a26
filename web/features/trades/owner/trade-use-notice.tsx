import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'

const texts = tradeTexts.dialog

type TradeUseNoticeProps = { trade: Trade; children?: string }

/** Names the purchase that a trade is part of, and leads there (R-trades-37). */
export function TradeUseNotice({ trade, children }: TradeUseNoticeProps) {
  const { usedFor } = trade
  if (!usedFor) return null
  const { use, sellerId, vin, year, make, carModel } = usedFor
  const label = use === 'SIGNED' || use === 'SOLD' ? texts.viewPurchase : texts.continueWith
  return (
    <Notice
      kind="info"
      action={
        <LinkButton to="/buyer" search={{ userId: sellerId, vin }} variant="default">
          {label(`${year} ${make} ${carModel}`)}
        </LinkButton>
      }
    >
      {texts.usedFor[use](carName(trade), carName(usedFor))} {children}
    </Notice>
  )
}
