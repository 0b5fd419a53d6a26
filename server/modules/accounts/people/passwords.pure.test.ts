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

// R-accounts-10
test('recognizes common passwords and patterns regardless of case', async () => {
  const common = ['password', 'PassWord1', 'qwertyuiop', '12345678', 'minntwin', 'melvin69']
  const patterns = ['00000000', 'Blablabla', '1234512345', '0987654321', 'LkjhGfds', 'aaaaaaaaaaaa']
  const others = ['quiet harbour', 'blablabla?', '12345678 and more', 'harbourharbour']
  const found = async (passwords: string[]) => {
    const isFound = await Promise.all(passwords.map(isCommonPassword))
    return passwords.filter((_, index) => isFound[index])
  }
  expect(await found([...common, ...patterns, ...others])).toEqual([...common, ...patterns])
})
