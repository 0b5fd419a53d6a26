import { expect, test } from 'vitest'
import { pathAfterLogin, pathToCar } from './after-login.ts'

const buyer = { userType: 'BUYER' } as const
const seller = { userType: 'SELLER' } as const
const wholesaler = { userType: 'WHOLESALER' } as const

test.each([
  [buyer, undefined, '/home'],
  [seller, null, '/home'],
  [wholesaler, undefined, '/wholesaler'],
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
