import { expect, test } from 'vitest'
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
