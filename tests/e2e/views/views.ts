import { accountChanges, accountViews } from './account.ts'
import { buyerChanges, buyerViews } from './buyer.ts'
import { dealerViews } from './dealer.ts'
import { publicViews } from './public.ts'
import { sellerChanges, sellerViews } from './seller.ts'
import { tradeChanges, tradeViews } from './trades.ts'
import type { View } from './view.ts'

/** Every screen and dialog that can be viewed without changing anything for other views. */
export const readOnlyViews: readonly View[] = [
  ...publicViews,
  ...accountViews,
  ...sellerViews,
  ...buyerViews,
  ...tradeViews,
  ...dealerViews,
]

/** Views that need something to happen first: visited in this order, after the others. */
export const mutatingViews: readonly View[] = [
  ...sellerChanges,
  ...buyerChanges,
  ...tradeChanges,
  ...accountChanges,
]
