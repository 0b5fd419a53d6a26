import type { TimelineEntry } from '@keyturn/contract/deals/shapes.ts'
import { expect, test } from 'vitest'
import { sinceSigning } from './voided.ts'

const entry = (event: TimelineEntry['event'], from?: string, to?: string): TimelineEntry => ({
  at: '2026-11-21T10:00:00.000Z',
  actor: 'SELLER',
  event,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
/** A timeline is newest first; the tests list events as they happened. */
const told = (...entries: TimelineEntry[]) => entries.reverse()
const signed = entry('buyerSigned', undefined, 'Bea Buyer')

test('nothing is void before a signature, or while nothing has changed since', () => {
  expect(sinceSigning([], 'BUYER')).toBeNull()
  expect(sinceSigning(told(entry('requested'), entry('priceChanged', '$1', '$2')), 'BUYER')).toBeNull()
  expect(sinceSigning(told(entry('priceChanged', '$1', '$2'), signed), 'BUYER')).toBeNull()
  expect(sinceSigning(told(signed, entry('confirmed')), 'BUYER')).toBeNull()
})

test('a price that changed several times is reported once, from the signed one to the present one', () => {
  const since = sinceSigning(
    told(signed, entry('priceChanged', '$12,200', '$12,600'), entry('repriced', '$12,600', '$12,400')),
    'BUYER',
  )
  expect(since?.changes).toEqual([{ label: 'Agreed price', before: '$12,200', after: '$12,400' }])
})

test('a price that returned to the signed one is reported, too', () => {
  const since = sinceSigning(
    told(signed, entry('repriced', '$12,200', '$12,600'), entry('repriced', '$12,600', '$12,200')),
    'BUYER',
  )
  expect(since?.changes).toMatchObject([{ said: 'It was set to $12,200 once more.' }])
})

test('only changed details of the car are reported', () => {
  const corolla = { year: 2020, make: 'Toyota', carModel: 'Corolla', mileage: 61_200 }
  const edited = (changed: Partial<typeof corolla>) => {
    const facts = { event: 'termsChanged', from: corolla, to: { ...corolla, ...changed } } as const
    return sinceSigning(told(signed, { ...entry('termsChanged'), facts }), 'BUYER')?.changes
  }
  expect(edited({ mileage: 16_200 })).toEqual([
    { label: 'Mileage', before: '61,200 miles', after: '16,200 miles' },
  ])
  expect(edited({ year: 2019 })).toEqual([
    { label: 'Car', before: '2020 Toyota Corolla', after: '2019 Toyota Corolla' },
  ])
})

test('an old event without facts is reported as one line', () => {
  const since = sinceSigning(told(signed, entry('termsChanged', 'one line', 'another line')), 'BUYER')
  expect(since?.changes).toEqual([{ label: 'Car', before: 'one line', after: 'another line' }])
})

test('each trade that was taken out of the request is reported', () => {
  const since = sinceSigning(
    told(signed, entry('tradeRemoved', 'ONE'), entry('tradeRemoved', 'TWO')),
    'BUYER',
  )
  expect(since?.changes.map(({ said }) => said)).toEqual([
    'ONE was taken out of the request.',
    'TWO was taken out of the request.',
  ])
})

test('the end of the 72 hours voids the signature that began them, and only that one', () => {
  const timeline = told(signed, entry('sellerSigned'), entry('lapsed'), entry('confirmed'))
  expect(sinceSigning(timeline, 'SELLER')).toMatchObject({ changes: [], hasLapsed: true })
  expect(sinceSigning(timeline, 'BUYER')).toBeNull()
})

test("the seller's denial voids the buyer's signature, even if the same request is made again", () => {
  const timeline = told(signed, entry('denied'), entry('requested', undefined, '$12,200'))
  expect(sinceSigning(timeline, 'BUYER')).toMatchObject({ changes: [], wasTurnedDown: true })
})
