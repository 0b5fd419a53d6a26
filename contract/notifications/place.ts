import { z } from 'zod'
import { id } from '../shared/fields.ts'

const side = z.enum(['OWNER', 'WHOLESALER'])

/** Target of a notification, an email or a push, by ids; `pathOfPlace` returns its URL. */
export const place = z.discriminatedUnion('kind', [
  // The seller's page of a car, with the requests for it.
  z.object({ kind: z.literal('car'), carId: id, sellerId: id, vin: z.string() }),
  // The buyer's purchase.
  z.object({ kind: z.literal('deal'), dealId: id, sellerId: id, vin: z.string() }),
  // The list of purchases, for a buyer whose request is over.
  z.object({ kind: z.literal('purchases') }),
  z.object({ kind: z.literal('trade'), tradeId: id, side }),
  // The list of trades, for a deleted one.
  z.object({ kind: z.literal('trades'), side }),
  // The administrator's list of deliveries to dealers.
  z.object({ kind: z.literal('deliveries') }),
])
export type Place = z.output<typeof place>

/** Returns a path and query in the app, to which the sign-in page redirects. */
export function pathOfPlace(at: Place): string {
  switch (at.kind) {
    case 'car':
      return `/car/seller?${new URLSearchParams({ userId: at.sellerId, vin: at.vin })}`
    case 'deal':
      return `/buyer?${new URLSearchParams({ userId: at.sellerId, vin: at.vin })}`
    case 'purchases':
      return '/home?view=buying'
    case 'trade':
      return `${tradesPages[at.side]}?${new URLSearchParams({ trade: at.tradeId })}`
    case 'trades':
      return tradesPages[at.side]
    case 'deliveries':
      return '/dev'
  }
}
const tradesPages = { OWNER: '/trade', WHOLESALER: '/wholesaler' }
