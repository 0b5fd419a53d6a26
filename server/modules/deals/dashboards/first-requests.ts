import { carsOf, getProgress } from '@keyturn/contract/deals/endpoints.ts'
import { addressOf } from '@keyturn/contract/shared/address.ts'
import { allTrades, tradesOfUser } from '@keyturn/contract/trades/endpoints.ts'

/**
 * Lists the first requests of the page at this path, in the app's exact form. `app.ts` preloads
 * them into the page (R-everywhere-44).
 */
export function firstCallsAt(userId: string, path: string, query: Record<string, unknown>): string[] {
  const deal = query.userId && query.vin ? [addressOf(getProgress.path, query, {})] : []
  switch (path) {
    case '/home':
      return [addressOf(carsOf.path, { userId }, {})]
    case '/car/seller':
      return [addressOf(carsOf.path, { userId }, {}), ...deal]
    case '/buyer':
      return deal
    case '/wholesaler':
      return [addressOf(allTrades.path, {}, { status: 'ALL' })]
    case '/trade':
      return [addressOf(tradesOfUser.path, { userId }, {})]
    default:
      return []
  }
}
