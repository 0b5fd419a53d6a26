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
  /** The owner has deleted the trade. */
  isDeleted?: boolean
}

export function placeOf({
  event,
  audience,
  car,
  dealId,
  tradeId,
  isWithdrawn,
  isDeleted,
}: PlaceFacts): Place | null {
  const line = recipientRule(event, audience)
  const side = audience === 'OWNER' ? 'OWNER' : 'WHOLESALER'
  switch (line?.target) {
    case 'car':
      return car && { kind: 'car', ...car }
    case 'deal':
      if (isWithdrawn) return { kind: 'purchases' }
      return car && dealId ? { kind: 'deal', dealId, sellerId: car.sellerId, vin: car.vin } : null
    case 'trade':
      if (isDeleted) return { kind: 'trades', side }
      return tradeId ? { kind: 'trade', tradeId, side } : null
    case 'trades':
      return { kind: 'trades', side }
    case 'purchases':
    case 'deliveries':
      return { kind: line.target }
    default:
      return null
  }
}
