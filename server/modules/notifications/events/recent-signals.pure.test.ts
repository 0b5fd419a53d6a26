import { expect, onTestFinished, test, vi } from 'vitest'
import { createRecentSignals } from './recent-signals.ts'

const signal = (id: string) => ({ users: ['somebody'], wholesalers: false, rooms: ['deals' as const], id })

// R-notifications-19
test('limits stored signals by number and size, and drops the oldest', () => {
  for (const most of [
    { signals: 3, bytes: 1_000 },
    { signals: 1_000, bytes: 30 },
  ]) {
    const recent = createRecentSignals(most)
    for (const id of ['a', 'b', 'c', 'd', 'e']) recent.add(signal(id), 10)
    expect(recent.position()).toBe('e')
    expect(recent.since('b')).toBeNull()
    expect(recent.since('c')?.map(({ id }) => id)).toEqual(['d', 'e'])
    expect(recent.since('e')).toEqual([])
    recent.clear()
    expect([recent.position(), recent.since('e')]).toEqual([undefined, null])
    recent.add(signal('f'), 10)
    recent.add(signal('g'), 10)
    expect(recent.since('f')?.map(({ id }) => id)).toEqual(['g'])
  }
})

// R-everywhere-77
test('returns as position for data of a standby the last signal that is old enough', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const recent = createRecentSignals()
  for (const id of ['a', 'b', 'c']) {
    recent.add(signal(id), 10)
    vi.advanceTimersByTime(1_000)
  }
  expect([0, 2_000, 3_000, 3_001].map(recent.positionBefore)).toEqual(['c', 'b', 'a', undefined])
})
