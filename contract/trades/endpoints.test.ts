import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cents } from '../shared/money.ts'
import { addTrade, deleteTrade, listTrades, lookUpTaxRate, tradeMoveRequest } from './endpoints.ts'
import { requiresPrice, tradeMoves } from './rules.ts'

const form = {
  vin: '1FTFW1ET5DFC10312',
  make: 'Ford',
  carModel: 'F-150',
  year: 2013,
  trim: 'XLT',
  mileage: 91_000,
  color: 'Blue',
  zipCode: '48201',
  payoff: false,
}

const faults = (schema: z.ZodType, given: unknown) =>
  schema.safeParse(given).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe('the trade input form', () => {
  test('restores the leading zero of a numeric ZIP code', () => {
    expect(addTrade.body.parse({ ...form, zipCode: 2139 }).zipCode).toBe('02139')
  })

  test.each([
    ['zipCode', 0],
    ['zipCode', '00000'],
    ['zipCode', 'abcde'],
    ['zipCode', undefined],
    ['mileage', 0],
    ['mileage', 2_000_001],
    ['year', 1900],
    ['vin', '1FTFW1ET5DFC1031O'],
    ['make', ' '],
    ['payoff', 'yes'],
    ['message', 'x'.repeat(1001)],
  ])('rejects %s %j under its field', (field, value) => {
    expect(faults(addTrade.body, { ...form, [field]: value })).toEqual([field])
  })

  test('ignores fields that only the server may set', () => {
    const parsed = addTrade.body.parse({ ...form, status: 'ACCEPTED', price: 1, salesTax: 1, active: true })
    expect(Object.keys(parsed).sort()).toEqual(Object.keys(form).sort())
  })
})

describe('a request to move a trade', () => {
  test("has an offer's price in cents and no computed fields", () => {
    const wish = { status: 'OFFERED', price: 20_000.5, salesTax: 9, active: false, version: 7 }
    expect(tradeMoveRequest.parse(wish)).toEqual({ status: 'OFFERED', price: 2_000_050, version: 7 })
  })

  test.each([undefined, null, 0, -1, 1.005, 10_000_000.01, '12000', '12,000', Number.NaN])(
    'is rejected with an offer of %j',
    (price) => {
      expect(faults(tradeMoveRequest, { status: 'OFFERED', price })).toEqual(['price'])
      expect(faults(tradeMoveRequest, { status: 'OFFER', price })).toEqual(['price'])
    },
  )

  test('allows a price with an acceptance and requires none elsewhere', () => {
    expect(tradeMoveRequest.parse({ status: 'ACCEPTED' })).toEqual({ status: 'ACCEPTED' })
    expect(tradeMoveRequest.parse({ status: 'ACCEPTED', price: 5 })).toEqual({
      status: 'ACCEPTED',
      price: 500,
    })
    expect(tradeMoveRequest.parse({ status: 'REJECTED', price: 0 })).toEqual({ status: 'REJECTED' })
    expect(tradeMoveRequest.parse({ status: 'PENDING', price: 'none' })).toEqual({ status: 'PENDING' })
  })

  test.each(tradeMoves.filter(({ by }) => by !== 'CLOCK'))(
    'to $name requires a price exactly when the table of moves requires one',
    ({ to, price }) => {
      expect(faults(tradeMoveRequest, { status: to, price: 5 })).toEqual([])
      expect(faults(tradeMoveRequest, { status: to })).toEqual(price === 'given' ? ['price'] : [])
      expect(requiresPrice(to)).toBe(price === 'given')
    },
  )

  test.each(['SOLD', '', null, undefined, 7])('rejects status %j', (status) => {
    expect(faults(tradeMoveRequest, { status, price: 5 })).toEqual(['status'])
  })

  // R-everywhere-1
  test('is sent in dollars', () => {
    expect(z.encode(tradeMoveRequest, { status: 'OFFERED', price: cents(2_150_050), version: 3 })).toEqual({
      status: 'OFFERED',
      price: 21_500.5,
      version: 3,
    })
    expect(z.encode(tradeMoveRequest, { status: 'REJECTED', version: 3 })).toEqual({
      status: 'REJECTED',
      version: 3,
    })
  })
})

describe('the tax look-up', () => {
  const query = (zipCode: string, basePrice: string) => lookUpTaxRate.query.safeParse({ zipCode, basePrice })

  test('pads the ZIP code and reads the price to the cent', () => {
    expect(query('501', '20000.55').data).toEqual({ zipCode: '00501', basePrice: 2_000_055 })
    expect(query('48201-1234', '0').data).toEqual({ zipCode: '48201', basePrice: 0 })
  })

  test('rejects any other text', () => {
    for (const zip of ['', 'abc', '123456', 'http://x']) expect(query(zip, '1').success, zip).toBe(false)
    for (const price of ['', '-1', '1e3', '12,000', '10000000.01', '1.005'])
      expect(query('48201', price).success, price).toBe(false)
  })
})

test('defaults the filter to ALL and rejects unknown values', () => {
  expect(listTrades.query.parse({})).toEqual({ status: 'ALL', limit: 50 })
  expect(listTrades.query.parse({ status: 'offer', limit: '200' })).toEqual({ status: 'OFFER', limit: 200 })
  for (const bad of [{ status: 'DELETED' }, { limit: '201' }, { limit: '0' }, { limit: 'all' }])
    expect(listTrades.query.safeParse(bad).success).toBe(false)
})

test('accepts the version of a deletion in the URL or in the body', () => {
  expect(deleteTrade.query.parse({ version: '12' })).toEqual({ version: 12 })
  expect(deleteTrade.query.parse({})).toEqual({})
  expect(deleteTrade.body.parse({ version: 12 })).toEqual({ version: 12 })
  expect(deleteTrade.body.parse(undefined)).toBeUndefined()
})
