import { getProgress, listCarsOfUser } from '@keyturn/contract/deals/endpoints.ts'
import { buildUrl } from '@keyturn/contract/shared/build-url.ts'
import { listTrades, listTradesOfUser } from '@keyturn/contract/trades/endpoints.ts'

/**
 * Lists the first requests of the page at this path, in the app's exact form. `app.ts` preloads
 * them into the page (R-everywhere-44).
 */
export function listFirstRequests(userId: string, path: string, query: Record<string, unknown>): string[] {
  const deal = query.userId && query.vin ? [buildUrl(getProgress.path, query, {})] : []
  switch (path) {
    case '/home':
      return [buildUrl(listCarsOfUser.path, { userId }, {})]
    case '/car/seller':
      return [buildUrl(listCarsOfUser.path, { userId }, {}), ...deal]
    case '/buyer':
      return deal
    case '/wholesaler':
      return [buildUrl(listTrades.path, {}, { status: 'ALL' })]
    case '/trade':
      return [buildUrl(listTradesOfUser.path, { userId }, {})]
    default:
      return []
  }
}
