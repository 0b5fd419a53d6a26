import { expect, onTestFinished, test, vi } from 'vitest'
import { createPresenceTracker } from './presence-tracker.ts'

const look = (change = {}) => ({
  deal: 'the deal',
  by: 'Bea',
  to: 'Sam',
  tab: 'one',
  session: 'hers',
  isLooking: true,
  ...change,
})

function opened() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  const { record, isLooking } = createPresenceTracker((people) => told.push(...people), 15_000)
  return { record, told, isThere: () => isLooking('the deal', 'Bea') }
}

// R-deals-82
test('reports presence until the last tab closes, and notifies about the arrival and the departure once', () => {
  const { record, isThere, told } = opened()
  record(look())
  record(look())
  record(look({ tab: 'two' }))
  record(look({ isLooking: false }))
  record(look({ tab: 'never was', isLooking: false }))
  expect([isThere(), told]).toEqual([true, ['Sam']])
  record(look({ tab: 'two', isLooking: false }))
  expect([isThere(), told]).toEqual([false, ['Sam', 'Sam']])
})

// R-deals-82
test('removes a silent tab after some seconds, and stops its timer', () => {
  const { record, isThere, told } = opened()
  record(look())
  vi.advanceTimersByTime(14_000)
  record(look())
  vi.advanceTimersByTime(14_000)
  expect([isThere(), told]).toEqual([true, ['Sam']])
  vi.advanceTimersByTime(3_000)
  expect([isThere(), told, vi.getTimerCount()]).toEqual([false, ['Sam', 'Sam'], 0])
})
