import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { TradesScreen } from '../../trades/owner/trades-screen.tsx'
import { BackLink } from '../../ui/frame/link.tsx'
import { useCarLink } from '../../wire/search.ts'
import { ContinuePurchases } from './continue-purchases.tsx'
import { DeleteTradeInRequest } from './trade-in-request.tsx'

/** /trade: the trades with the purchases they can be used for, which belong to two rooms; and back to the purchase it was opened from. */
export function TradeDashboardScreen() {
  const { userId, vin } = useCarLink()
  return (
    <TradesScreen
      purchases={<ContinuePurchases />}
      DeleteDialog={DeleteTradeInRequest}
      back={
        userId &&
        vin && (
          <BackLink to="/buyer" search={{ userId, vin }}>
            {wizardTexts.trade.backToPurchase}
          </BackLink>
        )
      }
    />
  )
}
