import { expect, test } from 'vitest'
import { addressLimits, type CallLimit, callLimits, signingLimit } from './call-limits.ts'
import { type Limit, limits } from './throttles.ts'

// How many: the tests that use limits up count as far as the tables say, so what these say is written down here.

const ofAccounts = {
  registerFromIp: '5 in an hour',
  registerAddress: '3 in three hours',
  signInFromIp: '50 in a quarter of an hour',
  signInFromNetwork: '5 before pauses, 10 in a quarter of an hour',
  signInToAddress: '5 before pauses in a quarter of an hour',
  signInFromDevice: '5 before pauses in a quarter of an hour',
  signInFromKnown: '5 before pauses in a quarter of an hour',
  loginLinkMail: '1 in an hour',
  loginLinkFromIp: '10 in a quarter of an hour',
  adminFromIp: '20 in a quarter of an hour',
  adminToName: '5 before pauses in a quarter of an hour',
  adminFromDevice: '5 before pauses in a quarter of an hour',
  adminFromKnown: '5 before pauses in a quarter of an hour',
  refreshSession: '30 in a minute',
  refreshFromIp: '120 in a minute',
  adminRefresh: '30 in a minute',
  strangeLogout: '30 in a minute',
  verifyMail: '3 in an hour',
  verifyMailFromIp: '20 in an hour',
  verifyFromIp: '10 in a quarter of an hour',
  resetMail: '3 in an hour',
  resetMailFromIp: '20 in an hour',
  resetFromIp: '5 in an hour',
  currentPassword: '5 in a quarter of an hour',
  editUser: '20 in an hour',
  mendAddress: '3 in an hour',
  deleteUser: '3 in an hour',
  readPerson: '60 in a minute',
  readUser: '300 in a minute',
  lookUpVin: '20 in a minute',
  enterVinHourly: '10 in an hour',
  enterVinDaily: '20 in a day',
}

const ofCalls = {
  'GET /cars/public/:userId/:vin': '60 in a minute of an address, 600 in an hour of an address',
  'GET /cars/user/:userId/:vin': '120 in a minute',
  'GET /cars/vin/:vin': '120 in a minute',
  'GET /cars/flyer/:vin': '30 in a minute',
  'GET /cars/:userId': '120 in a minute',
  'GET /cars/requests/:carId': '120 in a minute',
  'GET /cars/all/cars': '30 in a minute',
  'POST /cars/input': '30 in an hour',
  'POST /cars/request': '20 in an hour',
  'PATCH /cars/buyer': '30 in a minute',
  'PATCH /cars/edit': '60 in an hour',
  'PUT /cars/update-price/:carId': '30 in a minute',
  'PUT /cars/describe/:carId': '60 in an hour',
  'DELETE /cars/delete/:userType/:userId/:vin': '30 in an hour',
  'POST /vin/warm': '20 in a minute',
  'PATCH /progress/add': '30 in a minute',
  'PATCH /progress/update': '120 in a minute',
  'GET /progress/:userId/:vin': '120 in a minute',
  'GET /progress/timeline/:userId/:vin': '120 in a minute',
  'POST /progress/looking/:userId/:vin': '120 in a minute',
  'GET /messages/:dealId': '120 in a minute',
  'POST /messages/:dealId': '20 in a minute, 200 in an hour',
  'PUT /messages/:dealId/seen': '120 in a minute',
  'GET /messages/:dealId/file': '30 in a minute',
  'POST /messages/:dealId/:messageId/report': '20 in an hour',
  'GET /user/presence': '120 in a minute',
  'PUT /user/presence': '30 in a minute',
  'GET /progress/all': '60 in a minute',
  'GET /progress/all.csv': '10 in a minute',
  'GET /consent': '120 in a minute',
  'DELETE /consent': '30 in an hour',
  'GET /progress/pkg/id/:userId/:vin': '30 in a minute',
  'GET /progress/pkg/:pkgId/1': '30 in a minute',
  'GET /progress/agreement/:pkgId': '30 in a minute',
  'GET /progress/paperwork/:pkgId/:kind': '30 in a minute',
  'GET /.well-known/keyturn-log': '60 in a minute',
  'GET /.well-known/keyturn-seal': '60 in a minute',
  'GET /log/inclusion/:digest': '60 in a minute',
  'GET /log/consistency/:size': '60 in a minute',
  'GET /schemas/package/1': '60 in a minute',
  'GET /partner/deals/:pkgId': '120 in a minute',
  'POST /partner/deals/:pkgId': '120 in a minute',
  'POST /progress/complete/:pkgId': '120 in a minute',
  'GET /partner/deals/:pkgId/agreement': '60 in a minute',
  'POST /desk/deliveries': '300 in a minute',
  'GET /verify/:agreement': '30 in a minute of an address, 300 in an hour of an address',
  'GET /trades/user/:userId': '120 in a minute',
  'GET /trades/available/:userId': '120 in a minute',
  'GET /trades': '120 in a minute',
  'GET /trades/:tradeId/history': '120 in a minute',
  'PATCH /trades/:tradeId': '30 (60 of a wholesaler) in a minute',
  'DELETE /trades/:vin': '30 in an hour',
  'GET /tax': '30 in a minute',
  'GET /user/mail': '120 in a minute',
  'GET /notifications': '120 in a minute',
  'GET /notifications/unread': '120 in a minute',
  'GET /notifications/switches': '120 in a minute',
  'PUT /notifications/switches': '60 in a minute',
  'GET /notifications/push': '120 in a minute',
  'PATCH /notifications/push': '60 in a minute',
  'PUT /notifications/push': '10 in a minute, 60 in an hour',
  'DELETE /notifications/push/:id': '30 in a minute',
  'PATCH /notifications/:id/read': '120 in a minute',
  'POST /notifications/read': '120 in a minute',
  'POST /cars/photos/:carId': '60 in a minute, 300 in an hour',
  'PUT /cars/photos/:carId/order': '60 in a minute',
  'PATCH /cars/photos/:carId/:photoId': '60 in a minute',
  'DELETE /cars/photos/:carId/:photoId': '60 in a minute',
  'POST /trades/photos/:tradeId': '60 in a minute, 300 in an hour',
  'PUT /trades/photos/:tradeId/order': '60 in a minute',
  'PATCH /trades/photos/:tradeId/:photoId': '60 in a minute',
  'DELETE /trades/photos/:tradeId/:photoId': '60 in a minute',
}

test('what guards an account allows so many tries', () => {
  expect(Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, tries(limit)]))).toEqual(
    ofAccounts,
  )
})

test('every other call may be made so many times', () => {
  const told = Object.entries(callLimits).map(([name, all]) => [name, all.map(calls).join(', ')])
  expect(Object.fromEntries(told)).toEqual(ofCalls)
  expect(tries(signingLimit)).toBe('10 in an hour')
})

test('an address asks so much of everything together', () => {
  const told = Object.entries(addressLimits).map(([name, limit]) => [name, calls(limit)])
  expect(Object.fromEntries(told)).toEqual({
    calls: '600 in a minute',
    pages: '300 in a minute',
    assets: '6000 in a minute',
  })
})

function tries({ most, withinMs, slowFrom }: Limit): string {
  const inAll = most === 1_000_000 ? '' : `, ${most}`
  return slowFrom ? `${slowFrom} before pauses${inAll} in ${span(withinMs)}` : `${most} in ${span(withinMs)}`
}

function calls({ most, mostOfWholesaler, withinMs, per }: CallLimit): string {
  const more = mostOfWholesaler ? ` (${mostOfWholesaler} of a wholesaler)` : ''
  return `${most}${more} in ${span(withinMs)}${per ? ` of an ${per}` : ''}`
}

const span = (ms: number): string =>
  ({
    60000: 'a minute',
    900000: 'a quarter of an hour',
    3600000: 'an hour',
    10800000: 'three hours',
    86400000: 'a day',
  })[ms] ?? `${ms} ms`
