import { buildUrl } from '@keyturn/contract/shared/build-url.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { requireCurrentReads } from './current-reads.ts'
import { nextCursor, requestHeaders } from './send.ts'

test.each([
  ['/user', undefined, undefined, '/user'],
  ['/cars/public/:userId/:vin', { userId: 'a1', vin: '1HG' }, undefined, '/cars/public/a1/1HG'],
  ['/auth/email/verify/:code', { code: 'a/b?c#d e' }, undefined, '/auth/email/verify/a%2Fb%3Fc%23d%20e'],
  ['/trades', undefined, { status: 'ALL', cursor: undefined, limit: 50 }, '/trades?status=ALL&limit=50'],
  ['/progress/:userId/:vin', { userId: 'a', vin: 'b' }, { buyerId: undefined }, '/progress/a/b'],
])('builds from %s, %j and %j the address %s', (path, params, query, address) => {
  expect(buildUrl(path, params, query)).toBe(address)
})

test.each([
  ['</trades?status=ALL&cursor=aB%3D>; rel="next"', 'aB='],
  ['<https://keyturn.example/notifications?cursor=x1&limit=50>; rel="next"', 'x1'],
  ['</trades?cursor=y>; rel="prev"', null],
  [null, null],
])('extracts from the Link header %j the cursor %j', (link, cursor) => {
  expect(nextCursor(link)).toBe(cursor)
})

// R-everywhere-77
test('asks for current rows for two seconds after an event', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(requestHeaders()).not.toHaveProperty('Read-Current')
  requireCurrentReads()
  vi.advanceTimersByTime(1_999)
  expect(requestHeaders()).toHaveProperty('Read-Current', '1')
  vi.advanceTimersByTime(1)
  expect(requestHeaders()).not.toHaveProperty('Read-Current')
})
