import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { expect, test } from 'vitest'
import { limits, networkOf } from './throttles.ts'

// Limits how often a secret may be guessed. The exhaustion tests read their counts from the table.

const quarterMs = hourMs / 4
const endless = 1_000_000

test.each([
  ['signInFromIp', 50, quarterMs, undefined],
  ['signInFromNetwork', 10, quarterMs, 5],
  ['signInToAddress', endless, quarterMs, 5],
  ['signInFromDevice', endless, quarterMs, 5],
  ['signInFromKnown', endless, quarterMs, 5],
  ['adminFromIp', 20, quarterMs, undefined],
  ['adminToName', endless, quarterMs, 5],
  ['adminFromDevice', endless, quarterMs, 5],
  ['adminFromKnown', endless, quarterMs, 5],
  ['currentPassword', 5, quarterMs, undefined],
  ['loginLinkFromIp', 10, quarterMs, undefined],
  ['verifyFromIp', 10, quarterMs, undefined],
  ['resetFromIp', 5, hourMs, undefined],
] as const)(
  '%s allows %i tries in %i ms, with pauses from number %s on',
  (name, most, withinMs, slowFrom) => {
    expect(limits[name]).toMatchObject({ most, withinMs, slowFrom })
  },
)

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
])('%s is of the network %s: an IPv6 household is one address', (ip, expected) => {
  expect(networkOf(ip)).toBe(expected)
})
