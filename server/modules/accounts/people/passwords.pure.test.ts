import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword, needsRehash, passwordMatches } from './passwords.ts'

test('hashes with argon2id and a unique salt, and matches only the same password', async () => {
  const [one, two] = [await hashPassword('quiet harbour'), await hashPassword('quiet harbour')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
  expect(one).not.toBe(two)
  expect(await passwordMatches('quiet harbour', one)).toBe(true)
  expect(await passwordMatches('quiet harbor', one)).toBe(false)
  expect(await passwordMatches('quiet harbour', null)).toBe(false)
  expect(needsRehash(one)).toBe(false)
})

// R-everywhere-18
test('computes two hashes at a time, queues thirty-two and rejects the rest with a retry time', async () => {
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword('quiet harbour')))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(6)
  expect(refused[0]?.reason).toMatchObject({ code: 'HashQueueFull', status: 503 })
  expect(await passwordMatches('x', await hashPassword('x'))).toBe(true)
})

test('recognizes common passwords regardless of case', () => {
  expect(['password', 'PassWord1', 'qwertyuiop', '12345678'].map(isCommonPassword)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(isCommonPassword('quiet harbour')).toBe(false)
})
