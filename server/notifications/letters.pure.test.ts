import { cents } from '@keyturn/contract/kit/money.ts'
import { type Audience, eventNames, linesFor } from '@keyturn/contract/notifications/events.ts'
import type { EventFacts } from '@keyturn/contract/notifications/facts.ts'
import { type Place, pageOf } from '@keyturn/contract/notifications/places.ts'
import { describe, expect, test } from 'vitest'
import { htmlOf, textOf } from '../mail/letter.ts'
import { subjectOf } from '../mail/sentence.ts'
import { letterOf } from './letters.ts'
import type { Told } from './tell.ts'

const config = { publicUrl: new URL('https://keyturn.example') }
const [seller, buyer] = ['Sally Seller', 'Ben Buyer']
const known: EventFacts[keyof EventFacts] & Record<string, unknown> = {
  car: '2003 Honda Accord EX',
  seller,
  buyer,
  price: cents(1_925_000),
  from: cents(2_000_000) as never,
  to: cents(1_800_000) as never,
  message: 'No, thank you',
  wasConfirmed: true,
  until: '2026-11-24T20:04:00.000Z',
  isLast: false,
  packageId: 'a'.repeat(24),
  size: 7,
  root: 'ab'.repeat(32),
  dealer: 'Bay Motors' as never,
  next: 'Bay Motors calls both of you.',
  document: 'The title',
  place: '1 Main Street',
  time: '2026-11-25T15:00:00-05:00',
  reason: 'No title',
  deliveryId: 'b'.repeat(24),
}
const [id, vin] = ['c'.repeat(24), '1HGCM82633A004352']
const places: Record<Place['kind'], Place> = {
  car: { kind: 'car', carId: id, sellerId: id, vin },
  deal: { kind: 'deal', dealId: id, sellerId: id, vin },
  trade: { kind: 'trade', tradeId: id, side: 'WHOLESALER' },
  purchases: { kind: 'purchases' },
  deliveries: { kind: 'deliveries' },
}

const mailed = eventNames.flatMap((event) =>
  linesFor(event).flatMap(({ audience, line }) => {
    if (line.mail === null) return []
    const place = places[line.leads]
    const facts = event === 'carChanged' ? { ...known, from: 'Blue', to: 'Red' } : known
    const ids = { recipientId: id, dealId: null, tradeId: null }
    return [
      {
        name: `${event} to ${audience}`,
        audience,
        told: { event, facts, audience, line, place, ...ids } as unknown as Told,
      },
    ]
  }),
)
const written = (told: Told, zone = 'America/Los_Angeles') => {
  const letter = letterOf(config, told, zone)
  if (!letter) throw new Error('there is no letter')
  return { letter, subject: subjectOf(letter.subject), text: textOf(letter), html: htmlOf(letter) }
}
const whole = (told: Told) => Object.values(written(told)).slice(1).join('\n')

// R-notifications-6
describe('whoever the table of events tells by mail is written a letter that', () => {
  test.each(mailed)(
    '$name: names what it is about, and has one button, to the place of the event',
    ({ told }) => {
      const { letter, subject, text, html } = written(told)
      expect(`${subject} ${text}`).toContain(
        told.event === 'deliveryParked' ? 'Bay Motors' : '2003 Honda Accord EX',
      )
      expect(letter.button?.href).toBe(`https://keyturn.example${pageOf(told.place)}`)
      expect(text).toContain(letter.button?.href)
      expect(html.match(/<a [^>]*font-weight:700/g)).toHaveLength(1)
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
      // Nothing is loaded from anywhere, so nobody learns that it was opened.
      expect(html).not.toMatch(/<img|<link|url\(|src=|https?:\/\/(?!keyturn\.example)/)
    },
  )
})

// R-trades-23
const strangers: readonly Audience[] = ['WHOLESALERS', 'OFFERER']
test.each(mailed.filter(({ audience }) => strangers.includes(audience)))(
  '$name: a wholesaler reads nobody’s name',
  ({ told }) => {
    for (const name of [seller, buyer]) expect(whole(told)).not.toContain(name)
  },
)

test('a subject says it all', () => {
  const subject = (event: string) =>
    written(mailed.find(({ told }) => told.event === event)?.told as Told).subject
  expect(subject('requestReceived')).toBe('Ben Buyer offers $19,250 for your 2003 Honda Accord EX')
  expect(subject('priceChanged')).toBe('The price of the 2003 Honda Accord EX is now $18,000')
  expect(subject('tradeOffered')).toBe('You have an offer of $19,250 for your 2003 Honda Accord EX')
})

// R-notifications-23
test('the end of the 72 hours is told as its reader’s clock shows it', () => {
  const signed = mailed.find(({ told }) => told.event === 'sellerSigned')?.told as Told
  expect(written(signed, 'America/Los_Angeles').text).toContain('until Nov 24, 12:04 PM PST')
  expect(written(signed, 'America/New_York').text).toContain('until Nov 24, 3:04 PM EST')
})

test('what leaves with the letter that both have signed is not written twice', () => {
  const signed = mailed.filter(({ told }) => ['sellerSigned', 'buyerSigned'].includes(told.event))
  for (const { told } of signed) {
    const last = { ...told, facts: { ...known, until: null, isLast: true } } as unknown as Told
    expect(letterOf(config, last, 'America/New_York')).toBeNull()
  }
})
