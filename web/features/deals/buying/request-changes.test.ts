import { dollarsToCents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { findRequestChanges, type RequestState } from './request-changes.ts'

const civic = { make: 'Honda', carModel: 'Civic', year: 2019, mileage: 61_200, payoff: false }
const pending: RequestState = { ...civic, status: 'PENDING', price: dollarsToCents(12_200), message: '' }
const newsAfter = (change: Partial<RequestState>, before = pending) =>
  findRequestChanges(before, { ...before, ...change }).map(({ label, before, after, sentence }) =>
    sentence ? `${label}: ${sentence}` : `${label}: ${before} > ${after}`,
  )

test('reports nothing when nothing has changed', () => {
  expect(newsAfter({})).toEqual([])
})

test('reports a new price old and new, and the asking price where it is shown', () => {
  expect(newsAfter({ price: dollarsToCents(12_600) })).toEqual(['Your offer: $12,200 > $12,600'])
  expect(
    newsAfter({ askingPrice: dollarsToCents(12_600) }, { ...pending, price: null, askingPrice: null }),
  ).toEqual(['Asking price: Price to be agreed > $12,600'])
})

test('reports changes to details of the car that are signed', () => {
  expect(newsAfter({ mileage: 71_000, year: 2018 })).toEqual([
    'Year: 2019 > 2018',
    'Mileage: 61,200 miles > 71,000 miles',
  ])
})

test("reports the seller's answer with its message", () => {
  expect(newsAfter({ status: 'REJECTED' })).toEqual(['Status: The seller has turned it down.'])
  expect(newsAfter({ status: 'REJECTED', message: 'Too low.' })).toEqual([
    'Status: The seller has turned it down.',
    "The seller's message: Too low.",
  ])
  expect(newsAfter({ status: 'ACCEPTED' })).toEqual([
    'Status: The seller has confirmed your request. Its price is now the agreed price.',
  ])
  expect(newsAfter({ status: 'PENDING' }, { ...pending, status: 'REJECTED' })).toEqual([
    'Status: It is waiting for an answer again.',
  ])
})
