import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { expect, test } from 'vitest'
import { endpointLimits } from './endpoint-limits.ts'
import { networkOf, throttleLimits } from './throttles.ts'

// These limits bound how often a secret may be guessed. Their numbers are repeated here, because
// the exhaustion tests read them from the table.

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
  ['registerFromIp', 30, hourMs, undefined],
  ['tryAddressFromIp', 60, hourMs, undefined],
  ['registerAddress', 3, 3 * hourMs, undefined],
  ['loginLinkMail', 1, hourMs, undefined],
  ['refreshSession', 30, 60_000, undefined],
  ['refreshFromIp', 120, 60_000, undefined],
  ['adminRefresh', 30, 60_000, undefined],
  ['unknownLogout', 30, 60_000, undefined],
  ['verifyMail', 3, hourMs, undefined],
  ['verifyMailFromIp', 20, hourMs, undefined],
  ['resetMail', 3, hourMs, undefined],
  ['resetMailFromIp', 20, hourMs, undefined],
  ['editUser', 20, hourMs, undefined],
  ['changeUnverifiedAddress', 3, hourMs, undefined],
  ['deleteUser', 3, hourMs, undefined],
  ['readPerson', 60, 60_000, undefined],
  ['readUser', 300, 60_000, undefined],
  ['lookUpVin', 20, 60_000, undefined],
  ['enterVinHourly', 10, hourMs, undefined],
  ['enterVinDaily', 20, 24 * hourMs, undefined],
] as const)('%s allows %i tries in %i ms, with pauses from number %s on', (name, max, withinMs, slowFrom) => {
  expect(throttleLimits[name]).toMatchObject({ max, withinMs, slowFrom })
})

test('gives some endpoints a second limit with a longer window', () => {
  const second = Object.entries(endpointLimits).flatMap(([name, [, ...more]]) =>
    more.map(
      ({ max, withinMs, per }) => `${name}: ${max} in ${withinMs / hourMs} h${per ? ` per ${per}` : ''}`,
    ),
  )
  expect(second.sort()).toEqual([
    'GET /agreements/:token: 300 in 1 h per address',
    'GET /cars/public/:userId/:vin: 600 in 1 h per address',
    'GET /verify/:agreement: 300 in 1 h per address',
    'POST /cars/photos/:carId: 300 in 1 h',
    'POST /messages/:dealId: 200 in 1 h',
    'POST /trades/photos/:tradeId: 300 in 1 h',
    'POST /user/passkeys: 60 in 1 h',
    'PUT /notifications/push: 60 in 1 h',
  ])
})

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
])('counts %s in the network %s, so that an IPv6 household is one address', (ip, expected) => {
  expect(networkOf(ip)).toBe(expected)
})
