import { id } from '@keyturn/contract/shared/fields.ts'
import { expect, test } from 'vitest'
import { newId, newOwnedId } from './new-id.ts'

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

// R-everywhere-65
test('returns ids that share four characters with their owner and nothing else', () => {
  const owner = newId()
  const made = Array.from({ length: 1000 }, () => newOwnedId(owner))
  expect(made.filter((one) => !id.safeParse(one).success || !one.startsWith(owner.slice(0, 4)))).toEqual([])
  expect(new Set(made.map((one) => one.slice(4, 12))).size).toBeGreaterThan(995)
})
