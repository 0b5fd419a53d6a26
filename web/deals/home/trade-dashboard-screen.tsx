import { TradesScreen } from '../../trades/owner/trades-screen.tsx'
import { ContinuePurchases } from './continue-purchases.tsx'

/** /trade: the trades, with the purchases they can be used for; these two rooms meet here. */
export const TradeDashboardScreen = () => <TradesScreen purchases={<ContinuePurchases />} />
