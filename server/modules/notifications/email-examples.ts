import type { EventFacts } from '@keyturn/contract/notifications/event-facts.ts'
import { type Audience, eventNames, recipientRules } from '@keyturn/contract/notifications/events.ts'
import type { Place } from '@keyturn/contract/notifications/place.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import type { PendingNotification } from './notify.ts'

// One example of every email in the table of events, used by the tests and by `npm run
// screenshots`.

export const exampleNames = { seller: 'Sally Seller', buyer: 'Ben Buyer' }
export const exampleFacts: EventFacts[keyof EventFacts] & Record<string, unknown> = {
  car: '2003 Honda Accord EX',
  ...exampleNames,
  price: cents(1_925_000),
  from: cents(2_000_000) as never,
  to: cents(1_800_000) as never,
  offer: cents(1_890_000),
  proposed: cents(1_920_000),
  message: 'No, thank you',
  text: 'Is it still there? I can come by on Saturday.',
  wasConfirmed: true,
  until: '2026-11-24T20:04:00.000Z',
  sellersMove: 'sign',
  isReserved: false,
  takesOffers: true,
  accepted: cents(1_925_000),
  packageId: 'a'.repeat(24),
  links: {
    SELLER: `https://keyturn.example/agreements/${'s'.repeat(43)}`,
    BUYER: `https://keyturn.example/agreements/${'b'.repeat(43)}`,
  },
  size: 7,
  root: 'ab'.repeat(32),
  dealer: 'Bay Motors' as never,
  next: 'Bay Motors calls both of you.',
  document: 'The title',
  place: '1 Main Street',
  time: '2026-11-25T15:00:00-05:00',
  reason: 'No title',
  buyerSigned: true,
  isConfirmed: true,
  deliveryId: 'b'.repeat(24),
  writeTo: 'help@keyturn.example',
}
const [id, vin] = ['c'.repeat(24), '1HGCM82633A004352']
const places: Record<Place['kind'], Place> = {
  car: { kind: 'car', carId: id, sellerId: id, vin },
  deal: { kind: 'deal', dealId: id, sellerId: id, vin },
  trade: { kind: 'trade', tradeId: id, side: 'WHOLESALER' },
  trades: { kind: 'trades', side: 'WHOLESALER' },
  purchases: { kind: 'purchases' },
  deliveries: { kind: 'deliveries' },
}

export type EmailExample = { name: string; audience: Audience; notification: PendingNotification }
export const emailExamples: readonly EmailExample[] = eventNames.flatMap((event) =>
  recipientRules(event).flatMap(({ audience, line }) => {
    if (line.mail === null) return []
    const place = places[line.target]
    const facts = event === 'carChanged' ? { ...exampleFacts, from: 'Blue', to: 'Red' } : exampleFacts
    const ids = { recipientId: id, dealId: null, tradeId: null, noticeId: null }
    return [
      {
        name: `${event} to ${audience}`,
        audience,
        notification: { event, facts, audience, line, place, ...ids } as unknown as PendingNotification,
      },
    ]
  }),
)
