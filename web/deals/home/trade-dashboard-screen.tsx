import { TradesScreen } from '../../trades/owner/trades-screen.tsx'
import { ContinuePurchases } from './continue-purchases.tsx'

/** /trade: the trades with the purchases they can be used for, which belong to two rooms. */
export const TradeDashboardScreen = () => <TradesScreen purchases={<ContinuePurchases />} />
