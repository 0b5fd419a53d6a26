import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { takeTurnHere } from './counted-in-memory.ts'

test('whoever comes from ever new addresses fills no memory: the oldest counts make room', () => {
  const config = readConfig({
    RATE_LIMITS: 'on',
    SESSION_SECRET: 'x'.repeat(32),
    DATABASE_URL: 'postgres://nowhere/x',
  })
  const look = (subject: string) =>
    takeTurnHere({ config }, { name: 'look', most: 1, withinMs: 3_600_000 }, subject)
  look('first')
  expect(() => look('first')).toThrow('Too many tries')
  for (let other = 0; other < 100_000; other++) look(`other ${other}`)
  expect(() => look('other 99999')).toThrow('Too many tries')
  expect(() => look('first')).not.toThrow()
})
