import { id } from '@keyturn/contract/shared/fields.ts'
import { expect, test } from 'vitest'
import { newId } from './new-id.ts'

// R-everywhere-2
test('returns unique ids of 24 lower-case hexadecimal digits in random order', () => {
  const made = Array.from({ length: 1000 }, newId)
  expect(made.filter((one) => !id.safeParse(one).success)).toEqual([])
  expect(new Set(made).size).toBe(made.length)
  // Ids ordered by time would nearly always increase; of random ids, about half do.
  const greater = made.filter((one, at) => at > 0 && one > (made[at - 1] ?? ''))
  expect(greater.length).toBeGreaterThan(300)
  expect(greater.length).toBeLessThan(700)
  const alike = made.filter((one, at) => at > 0 && one.slice(0, 6) === made[at - 1]?.slice(0, 6))
  expect(alike.length).toBeLessThan(5)
})
