import { expect, test } from 'vitest'
import { sharedBuffersMb } from './start-server.ts'

const gb = 2 ** 30
const unlimited = 2 ** 64

test.each([
  ['a laptop', 8 * gb, unlimited, 512],
  ['a small machine', gb / 2, unlimited, 64],
  ['a large one', 256 * gb, unlimited, 1024],
  ['a container of 2 GB on it', 256 * gb, 2 * gb, 128],
  ['where no limit is known', 8 * gb, 0, 512],
])('the database keeps as many pages in memory as suit %s', (_, machine, allowed, mb) => {
  expect(sharedBuffersMb(machine, allowed)).toBe(mb)
})
