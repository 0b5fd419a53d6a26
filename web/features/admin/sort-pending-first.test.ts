import { expect, test } from 'vitest'
import { sortPendingFirst } from './sort-pending-first.ts'

test('sorts pending rows before decided ones and otherwise keeps their order', () => {
  const rows = ['done 1', 'waits 1', 'done 2', 'waits 2']
  const ordered = sortPendingFirst(rows, (row) => row.startsWith('waits'))
  expect(ordered.join(', ')).toBe('waits 1, waits 2, done 1, done 2')
})
