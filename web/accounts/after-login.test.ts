import { expect, test } from 'vitest'
import { pathAfterLogin, pathToCar } from './after-login.ts'

const buyer = { userType: 'BUYER', home: '/home' } as const
const seller = { userType: 'SELLER', home: '/home' } as const
const wholesaler = { userType: 'WHOLESALER', home: '/wholesaler' } as const
/** Whose address the configuration names: led there, without any right (decisions A2). */
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
])('1 s4, A16: %j with %j stored goes to %s', (user, stored, path) => {
  expect(pathAfterLogin(user, stored)).toBe(path)
})

test.each([
  [buyer, '/wholesaler', '/home'],
  [seller, '/listofcars', '/home'],
  [wholesaler, '/buyer?userId=abc&vin=1HG', '/wholesaler'],
  [buyer, '/login', '/home'],
  [buyer, '/nowhere', '/home'],
])('A16: %j may not see %s', (user, stored, path) => {
  expect(pathAfterLogin(user, stored)).toBe(path)
})

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/home\n',
  7,
  {},
])('N4: %j is no path of ours', (stored) => {
  expect(pathAfterLogin(buyer, stored)).toBe('/home')
})

test('A15: after /buy-this-car a seller comes to their own page of the car, everybody else to the purchase', () => {
  expect(pathToCar('a', '1HG', { _id: 'b' })).toBe('/buyer?userId=a&vin=1HG')
  expect(pathToCar('a', '1HG', { _id: 'a' })).toBe('/car/seller?userId=a&vin=1HG')
  expect(pathToCar('a', '1HG', null)).toBe('/buyer?userId=a&vin=1HG')
})
