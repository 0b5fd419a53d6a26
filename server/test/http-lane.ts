import { afterAll } from 'vitest'
import { onLeavingTheThread } from './lane.ts'

// Before each file of the tests with a database: one that needs none belongs to those that run in seconds.

let hasLeft = false
onLeavingTheThread(() => {
  hasLeft = true
})

// biome-ignore lint/correctness/noEmptyPattern: vitest reads in the pattern which fixtures a hook asks for.
afterAll(({}, file) => {
  // Of a file run in part nothing is said.
  const isWhole = file.tasks.every((task) => task.mode === 'run')
  if (isWhole && !hasLeft)
    throw new Error('This file needs no database, no process and no thread: name it *.pure.test.ts.')
})
