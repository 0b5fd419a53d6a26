import { afterAll, afterEach, beforeEach } from 'vitest'

// Before each test file while the map of what tests reach is drawn: which functions each test called.

declare global {
  var reached: Set<string> | undefined
}
declare module 'vitest' {
  interface TaskMeta {
    reached?: string[]
  }
}

const calls = new Set<string>()
globalThis.reached = calls
/** What was called outside of tests: by the file itself and by `beforeAll`. */
const before = new Set<string>()

beforeEach(() => {
  for (const name of calls) before.add(name)
  calls.clear()
})

afterEach(({ task }) => {
  task.meta.reached = [...calls]
  calls.clear()
})

// biome-ignore lint/correctness/noEmptyPattern: vitest reads in the pattern which fixtures a hook asks for.
afterAll(({}, file) => {
  file.meta.reached = [...before]
})
