import { type DealEvent, eventLines } from '@keyturn/contract/deals/events.ts'
import type { TimelineEntry } from '@keyturn/contract/deals/shapes.ts'
import { dollarsToCents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { findVoidingChanges } from './voiding-changes.ts'

const entry = (facts: DealEvent): TimelineEntry => ({
  at: '2026-11-21T10:00:00.000Z',
  actor: 'SELLER',
  event: facts.event,
  ...eventLines(facts),
  facts,
})
const priced = (event: 'priceChanged' | 'repriced', from: number, to: number) =>
  entry({ event, from: dollarsToCents(from), to: dollarsToCents(to) })
const requested = entry({ event: 'requested', price: dollarsToCents(12_200) })
const confirmed = entry({ event: 'confirmed', price: dollarsToCents(12_200) })
/** A timeline is newest first, but the tests list events in the order in which they happened. */
const timelineOf = (...entries: TimelineEntry[]) => entries.reverse()
const signed = entry({ event: 'buyerSigned', name: 'Bea Buyer' })

test('reports nothing without a signature, or when nothing has changed after it', () => {
  expect(findVoidingChanges([], 'BUYER')).toBeNull()
  expect(findVoidingChanges(timelineOf(requested, priced('priceChanged', 1, 2)), 'BUYER')).toBeNull()
  expect(findVoidingChanges(timelineOf(priced('priceChanged', 1, 2), signed), 'BUYER')).toBeNull()
  expect(findVoidingChanges(timelineOf(signed, confirmed), 'BUYER')).toBeNull()
})

test('reports a price that changed several times once, from the signed to the current one', () => {
  const since = findVoidingChanges(
    timelineOf(signed, priced('priceChanged', 12_200, 12_600), priced('repriced', 12_600, 12_400)),
    'BUYER',
  )
  expect(since?.changes).toEqual([{ label: 'Agreed price', before: '$12,200', after: '$12,400' }])
})

test('reports a price that returned to the signed one', () => {
  const since = findVoidingChanges(
    timelineOf(signed, priced('repriced', 12_200, 12_600), priced('repriced', 12_600, 12_200)),
    'BUYER',
  )
  expect(since?.changes).toMatchObject([{ sentence: 'It was set to $12,200 again.' }])
})

test('reports only the car’s changed details', () => {
  const corolla = { year: 2020, make: 'Toyota', carModel: 'Corolla', mileage: 61_200, payoff: false }
  const edited = (changed: Partial<typeof corolla>) => {
    const facts = { event: 'termsChanged', from: corolla, to: { ...corolla, ...changed } } as const
    return findVoidingChanges(timelineOf(signed, entry(facts)), 'BUYER')?.changes
  }
  expect(edited({ mileage: 16_200 })).toEqual([
    { label: 'Mileage', before: '61,200 miles', after: '16,200 miles' },
  ])
  expect(edited({ year: 2019 })).toEqual([
    { label: 'Car', before: '2020 Toyota Corolla', after: '2019 Toyota Corolla' },
  ])
})

const removed = (vin: string) =>
  entry({
    event: 'tradeRemoved',
    trade: { _id: 'a'.repeat(24), vin, year: 2013, make: 'Ford', carModel: 'F-150', trim: 'XLT' },
  })

test('reports each trade that was removed from the request', () => {
  const since = findVoidingChanges(timelineOf(signed, removed('ONE'), removed('TWO')), 'BUYER')
  expect(since?.changes.map(({ sentence }) => sentence)).toEqual([
    'ONE was removed from the request.',
    'TWO was removed from the request.',
  ])
})

test('reports that the end of the 72 hours voided only the signature that started them', () => {
  const timeline = timelineOf(
    signed,
    entry({ event: 'sellerSigned', name: 'Sam Seller' }),
    entry({ event: 'lapsed' }),
    confirmed,
  )
  expect(findVoidingChanges(timeline, 'SELLER')).toMatchObject({ changes: [], hasLapsed: true })
  expect(findVoidingChanges(timeline, 'BUYER')).toBeNull()
})

test('reports the seller’s denial as voiding a signature, even if the same request is made again', () => {
  const timeline = timelineOf(signed, entry({ event: 'denied', message: '' }), requested)
  expect(findVoidingChanges(timeline, 'BUYER')).toMatchObject({ changes: [], wasTurnedDown: true })
})
