import { expect, test } from 'vitest'
import { sharedBuffersMb } from './start-server.ts'

const gb = 2 ** 30
const unlimited = 2 ** 64

test.each([
  ['a laptop', 8 * gb, unlimited, 512],
  ['a small machine', gb / 2, unlimited, 64],
  ['a large machine', 256 * gb, unlimited, 1024],
  ['a container of 2 GB on a large machine', 256 * gb, 2 * gb, 128],
  ['a machine without a known limit', 8 * gb, 0, 512],
])('sizes the shared buffers for %s', (_, machine, allowed, mb) => {
  expect(sharedBuffersMb(machine, allowed)).toBe(mb)
})
