import { dollarsToCents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { findListingChanges, type ListingFacts } from './listing-changes.ts'

const car = { price: dollarsToCents(12_500) }
const requestOf = (
  _id: string,
  firstName: string,
  price: number,
  status: 'PENDING' | 'REJECTED' | 'ACCEPTED' = 'PENDING',
) => ({ _id, buyer: { firstName, lastName: 'Buyer' }, price: dollarsToCents(price), status })
const [bea, ben] = [requestOf('1', 'Bea', 12_200), requestOf('2', 'Ben', 12_300)]

const newsAfter = (change: Partial<ListingFacts>) =>
  findListingChanges({ car, requests: [bea] }, { car, requests: [bea], ...change }).map(
    ({ label, before, after, sentence }) => `${label}: ${sentence ?? `${before} > ${after}`}`,
  )

test('reports nothing when nothing has changed', () => {
  expect(newsAfter({})).toEqual([])
})

test('reports new buyers, buyers who have left, and changed prices', () => {
  expect(newsAfter({ requests: [bea, ben] })).toEqual(['Ben Buyer: Has requested this car at $12,300.'])
  expect(newsAfter({ requests: [] })).toEqual(['Bea Buyer: Has withdrawn the request for this car.'])
  expect(newsAfter({ requests: [requestOf('1', 'Bea', 12_400)] })).toEqual(['Bea Buyer: $12,200 > $12,400'])
})

test('does not report a buyer who was answered in another window as having left', () => {
  expect(newsAfter({ requests: [requestOf('1', 'Bea', 12_200, 'REJECTED')] })).toEqual([
    'Bea Buyer: This request has been turned down in the meantime.',
  ])
  expect(newsAfter({ requests: [requestOf('1', 'Bea', 12_200, 'ACCEPTED')] })).toEqual([
    'Bea Buyer: This buyer has been confirmed in the meantime.',
  ])
})

test('reports a buyer who was turned down only when they send another request', () => {
  const denied = requestOf('2', 'Ben', 12_100, 'REJECTED')
  expect(newsAfter({ requests: [bea, denied] })).toEqual([])
  expect(
    findListingChanges({ car, requests: [denied] }, { car, requests: [ben] }).map(({ sentence }) => sentence),
  ).toEqual(['Has requested this car at $12,300.'])
})

test('reports an asking price that was set in another window', () => {
  expect(newsAfter({ car: { price: null } })).toEqual(['Your asking price: $12,500 > Price to be agreed'])
})
