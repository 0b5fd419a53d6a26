import { afterAll } from 'vitest'
import { onLeavingTheThread } from './lane.ts'

// Before each file of the tests with a database: one that needs none belongs to those that run in seconds.

let hasLeft = false
onLeavingTheThread(() => {
  hasLeft = true
})

afterAll(() => {
  if (!hasLeft)
    throw new Error('This file needs no database, no process and no thread: name it *.pure.test.ts.')
})
