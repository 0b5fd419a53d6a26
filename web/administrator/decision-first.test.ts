import { expect, test } from 'vitest'
import { decisionFirst } from './decision-first.ts'

test('what waits for a decision stands before what was decided, each as it came', () => {
  const rows = ['done 1', 'waits 1', 'done 2', 'waits 2']
  expect(decisionFirst(rows, (row) => row.startsWith('waits'))).toEqual([
    'waits 1',
    'waits 2',
    'done 1',
    'done 2',
  ])
})
