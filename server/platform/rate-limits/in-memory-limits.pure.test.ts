import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { type CountUpdate, consumeLimitInMemory, shareRateLimitCounts } from './in-memory-limits.ts'

const config = readConfig({
  RATE_LIMITS: 'on',
  SESSION_SECRET: 'x'.repeat(32),
  DATABASE_URL: 'postgres://nowhere/x',
})

test('evicts the oldest counts when there are too many addresses', () => {
  const look = (subject: string) =>
    consumeLimitInMemory({ config }, { name: 'look', max: 1, withinMs: 3_600_000 }, subject)
  look('first')
  expect(() => look('first')).toThrow('Too many tries')
  for (let other = 0; other < 100_000; other++) look(`other ${other}`)
  expect(() => look('other 99999')).toThrow('Too many tries')
  expect(() => look('first')).not.toThrow()
})

// R-everywhere-45
test('includes other processes’ counts for the rest of their windows', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const look = (subject: string) =>
    consumeLimitInMemory({ config }, { name: 'look', max: 3, withinMs: 60_000 }, subject)
  const told: CountUpdate[] = []
  const hear = shareRateLimitCounts((counted) => told.push(counted))
  look('told')
  look('told')
  vi.advanceTimersByTime(3_000)
  expect(told).toEqual([[['look told', 2, expect.any(Number)]]])
  expect(told[0]?.[0]?.[2]).toBeCloseTo(59_000, -2)
  hear([['look told', 1, 57_000]])
  expect(() => look('told')).toThrow('Too many tries')
  hear([['look elsewhere', 3, 1_000]])
  expect(() => look('elsewhere')).toThrow('Too many tries')
  vi.advanceTimersByTime(1_001)
  expect(() => look('elsewhere')).not.toThrow()
  // Received counts are not forwarded, because their sender notifies all processes.
  vi.advanceTimersByTime(1_000)
  const times = (key: string) => told.flat().reduce((sum, [of, more]) => sum + (of === key ? more : 0), 0)
  expect([times('look told'), times('look elsewhere')]).toEqual([3, 2])
})
