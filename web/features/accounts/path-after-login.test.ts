import { expect, test } from 'vitest'
import { pathAfterLogin, pathToCar } from './path-after-login.ts'

const buyer = { userType: 'BUYER', home: '/home' } as const
const seller = { userType: 'SELLER', home: '/home' } as const
const wholesaler = { userType: 'WHOLESALER', home: '/wholesaler' } as const
/**
 * An address from the settings starts at /wholesaler, but has no wholesaler's rights there
 * (R-accounts-3).
 */
const named = { userType: 'BUYER', home: '/wholesaler' } as const

test.each([
  [buyer, undefined, '/home'],
  [seller, null, '/home'],
  [wholesaler, undefined, '/wholesaler'],
  [named, undefined, '/wholesaler'],
  [null, '/profile', '/home'],
  [buyer, '/buyer?userId=abc&vin=1HG', '/buyer?userId=abc&vin=1HG'],
  [seller, '/trade#top', '/trade#top'],
  [wholesaler, '/listofcars', '/listofcars'],
  [wholesaler, '/help', '/help'],
  // Pages that the role may not see.
  [buyer, '/wholesaler', '/home'],
  [seller, '/listofcars', '/home'],
  [wholesaler, '/buyer?userId=abc&vin=1HG', '/wholesaler'],
  [buyer, '/login', '/home'],
  [buyer, '/nowhere', '/home'],
  // Values that are not paths of this site.
  [seller, '//evil.example', '/home'],
  [seller, '/\\evil.example', '/home'],
  [seller, 'https://evil.example', '/home'],
  [seller, 'javascript:alert(1)', '/home'],
  [seller, '/home\n', '/home'],
  [seller, 7, '/home'],
  [seller, {}, '/home'],
])('leads %j with the stored path %j to %s (R-accounts-21, R-accounts-22)', (user, stored, path) => {
  expect(pathAfterLogin(user, stored)).toBe(path)
})

test('leads from /buy-this-car to the purchase, but leads the seller to their own page (R-accounts-23)', () => {
  expect(pathToCar('a', '1HG', { _id: 'b' })).toBe('/buyer?userId=a&vin=1HG')
  expect(pathToCar('a', '1HG', { _id: 'a' })).toBe('/car/seller?userId=a&vin=1HG')
  expect(pathToCar('a', '1HG', null)).toBe('/buyer?userId=a&vin=1HG')
})
