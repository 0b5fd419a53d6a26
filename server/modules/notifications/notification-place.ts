import type { EventName } from '@keyturn/contract/notifications/event-facts.ts'
import { type Audience, recipientRule } from '@keyturn/contract/notifications/events.ts'
import type { Place } from '@keyturn/contract/notifications/place.ts'

export type PlaceFacts = {
  event: EventName
  audience: Audience
  car: { carId: string; sellerId: string; vin: string } | null
  dealId: string | null
  tradeId: string | null
  /** The buyer has withdrawn the request, so the purchase no longer has a page. */
  isWithdrawn?: boolean
}

export function placeOf({ event, audience, car, dealId, tradeId, isWithdrawn }: PlaceFacts): Place | null {
  const line = recipientRule(event, audience)
  switch (line?.target) {
    case 'car':
      return car && { kind: 'car', ...car }
    case 'deal':
      if (isWithdrawn) return { kind: 'purchases' }
      return car && dealId ? { kind: 'deal', dealId, sellerId: car.sellerId, vin: car.vin } : null
    case 'trade':
      return tradeId ? { kind: 'trade', tradeId, side: audience === 'OWNER' ? 'OWNER' : 'WHOLESALER' } : null
    case 'purchases':
    case 'deliveries':
      return { kind: line.target }
    default:
      return null
  }
}
