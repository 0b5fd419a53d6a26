import { expect, test } from 'vitest'
import { createTokenText, isTokenText, startOf } from './token-format.ts'

// R-accounts-68
test('creates tokens that differ and that scanners can recognize', () => {
  const [one, other] = [createTokenText(), createTokenText()]
  expect(one).not.toBe(other)
  expect(one).toMatch(/^kt_[A-Za-z0-9_-]{49}$/)
  expect(isTokenText(one)).toBe(true)
  expect(startOf(one)).toBe(one.slice(0, 9))
})

test('computes the checksum over the text of the random part', () => {
  expect(createTokenText('A'.repeat(43))).toBe(`kt_${'A'.repeat(43)}DCtZhg`)
})

test.each([
  [
    'a changed character',
    (token: string) => `${token.slice(0, 10)}${token[10] === 'A' ? 'B' : 'A'}${token.slice(11)}`,
  ],
  ['another prefix', (token: string) => token.replace('kt_', 'gh_')],
  ['a missing character', (token: string) => token.slice(0, -1)],
  ['an additional character', (token: string) => `${token}A`],
  ['nothing', () => ''],
])('rejects a token with %s', (_, change) => {
  expect(isTokenText(change(createTokenText()))).toBe(false)
})
