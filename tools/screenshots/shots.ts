import type { Shot } from './shot.ts'
import { accountChanges, accountShots } from './shots/account.ts'
import { buyerChanges, buyerShots } from './shots/buyer.ts'
import { publicShots } from './shots/public.ts'
import { sellerChanges, sellerShots } from './shots/seller.ts'
import { tradeChanges, tradeShots } from './shots/trades.ts'

/** Every screen and dialog that can be looked at without changing anything for anybody else. */
export const lasting: Shot[] = [...publicShots, ...accountShots, ...sellerShots, ...buyerShots, ...tradeShots]

/** Those that something has to happen for. */
export const changing: Shot[] = [...sellerChanges, ...buyerChanges, ...tradeChanges, ...accountChanges]
