import { accountChanges, accountViews } from './account.ts'
import { buyerChanges, buyerViews } from './buyer.ts'
import { publicViews } from './public.ts'
import { sellerChanges, sellerViews } from './seller.ts'
import { tradeChanges, tradeViews } from './trades.ts'
import type { View } from './view.ts'

/** Every screen and dialog that can be looked at without changing anything for anybody else. */
export const lasting: readonly View[] = [
  ...publicViews,
  ...accountViews,
  ...sellerViews,
  ...buyerViews,
  ...tradeViews,
]

/** Those that something has to happen for: looked at in this order, after the others. */
export const changing: readonly View[] = [
  ...sellerChanges,
  ...buyerChanges,
  ...tradeChanges,
  ...accountChanges,
]
