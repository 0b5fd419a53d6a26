import { getUser } from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import { checkDocumented } from './documented-responses.ts'

const user = {
  ...{
    _id: 'a'.repeat(24),
    email: 'sam@example.com',
    userType: 'SELLER',
    firstName: 'Sam',
    lastName: 'Seller',
  },
  ...{ phoneNumber: '(313) 555-0142', verified: true, pendingEmail: null, approved: false, home: '/home' },
}
const check = (status: number, body: object, type = 'application/json; charset=utf-8') =>
  checkDocumented(getUser, { status, headers: { 'content-type': type }, body: JSON.stringify(body) })

// R-everywhere-66
test('fails a test for a response that the OpenAPI document does not describe', () => {
  const { home, ...incomplete } = user
  expect(() => check(200, user)).not.toThrow()
  expect(() => check(200, { ...user, age: 41 })).toThrow('age')
  expect(() => check(200, incomplete)).toThrow('home')
  expect(() => check(201, user)).toThrow('the status is not listed')
  expect(() => check(200, user, 'text/html')).toThrow('media type text/html')
  const message = 'Please sign in.'
  expect(() => check(401, { errorCode: 'InvalidAccessToken', message })).not.toThrow()
  expect(() => check(401, { errorCode: 'VinAlreadyListed', message })).toThrow('errorCode')
})
