import { accountChanges, accountViews } from './account.ts'
import { administratorViews } from './administrators.ts'
import { buyerChanges, buyerViews } from './buyer.ts'
import { dealerViews } from './dealer.ts'
import { peopleViews } from './people.ts'
import { publicViews } from './public.ts'
import { sellerChanges, sellerViews } from './seller.ts'
import { tradeChanges, tradeViews } from './trades.ts'
import type { View } from './view.ts'

/** Screens and dialogs that change no data of other views. */
export const readOnlyViews: readonly View[] = [
  ...publicViews,
  ...accountViews,
  ...sellerViews,
  ...buyerViews,
  ...tradeViews,
  ...dealerViews,
  ...peopleViews,
  ...administratorViews,
]

/** Views that change data. They are visited after the others, in this order. */
export const mutatingViews: readonly View[] = [
  ...sellerChanges,
  ...buyerChanges,
  ...tradeChanges,
  ...accountChanges,
]
