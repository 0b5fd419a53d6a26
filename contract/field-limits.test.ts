import { expect, test } from 'vitest'
import type { z } from 'zod'
import * as accounts from './accounts/endpoints.ts'
import * as log from './agreements/evidence-log.ts'
import * as cars from './cars/endpoints.ts'
import * as desk from './dealers/dealer-desk.ts'
import * as dealers from './dealers/endpoints.ts'
import * as deals from './deals/endpoints.ts'
import { deliveredPackage1 } from './frozen/package-1/delivered-package.ts'
import * as notifications from './notifications/endpoints.ts'
import * as fields from './shared/fields.ts'
import * as trades from './trades/endpoints.ts'

// The last value that each field accepts, and the first that it rejects.

const x = (count: number) => 'x'.repeat(count)
const list = (count: number) => Array<string>(count).fill('1HGCM82633A004352')
/** An email address of `count` characters in total. */
const address = (count: number) => `${x(60)}@${x(60)}.${x(60)}.${x(60)}.${x(count - 244)}`

const fieldLimits: [name: string, schema: z.ZodType, last: unknown, beyond: unknown][] = [
  ['an id', fields.id, 'a1'.repeat(12), 'A1'.repeat(12)],
  ['a name', fields.personName, x(255), x(256)],
  ['a name', fields.personName, 'x', ''],
  ['a message', fields.message, x(1000), x(1001)],
  ['a message', fields.message, 'one\ntwo', 'one\u0007two'],
  ['an address', fields.email, address(254), address(255)],
  ['a new password', fields.newPassword, x(8), x(7)],
  ['a new password', fields.newPassword, x(255), x(256)],
  ['a given password', fields.enteredPassword, 'x', ''],
  ['a given password', fields.enteredPassword, x(255), x(256)],
  ['a current password', fields.currentPassword, x(255), x(256)],
  ['a signature', fields.signatureText, x(255), x(256)],
  ['a phone', fields.phone, '2025550142', '202555014'],
  ['a phone', fields.phone, '(202) 555-0142 00', '(202) 555-0142 000'],
  ['a phone', fields.phone, '202-555-0142', '202_555_0142'],
  ['a VIN to look for', fields.looseVin, x(32), x(33)],
  ['a model year', fields.year, 1901, 1900],
  ['a model year', fields.year, 9999, 10_000],
  ['a mileage', fields.mileage, 1, 0],
  ['a mileage', fields.mileage, 2_000_000, 2_000_001],
  ['a ZIP code', fields.zip, '00501', '00000'],
  ['a ZIP code', fields.zip, '99999', '9999x'],
  ['a ZIP code', fields.zip, 501, 12],
  ['a ZIP code', fields.zip, '1001', '12'],
  ['a ZIP code', fields.zip, '96799-0001', '98700'],
  ['a price', fields.price, 1, 0],
  ['a price', fields.price, 10_000_000, 10_000_001],
  ['a version', fields.version, 1, 0],
]

// R-everywhere-2
test.each(fieldLimits)('limits the field: %s (case %#)', (_, schema, last, beyond) => {
  expect(schema.safeParse(last).success).toBe(true)
  expect(schema.safeParse(beyond).success).toBe(false)
})

const endpointLimits: [path: string, schema: z.ZodType, last: unknown, beyond: unknown][] = [
  ['username', accounts.adminLogin.body, x(3), x(2)],
  ['username', accounts.adminLogin.body, x(255), x(256)],
  ['code', accounts.loginByLink.body, x(200), x(201)],
  ['code', accounts.verifyEmail.params, x(200), x(201)],
  ['verificationCode', accounts.resetPassword.body, x(200), x(201)],
  ['changePasswordId', accounts.changePassword.body, x(64), x(65)],
  ['price', cars.addCar.body, 0, -1],
  ['price', cars.addCar.body, 10_000_000, 10_000_001],
  ['sellerId', cars.addCar.body, x(64), x(65)],
  ['vin', cars.lookUpVin.params, x(64), x(65)],
  ['limit', cars.listAllCars.query, 1, 0],
  ['limit', cars.listAllCars.query, 200, 201],
  ['cursor', cars.listAllCars.query, x(200), x(201)],
  ['vin', deals.requestCar.body, '1HGCM82633A004352', ' '],
  ['buyerId', deals.requestCar.body, x(64), x(65)],
  ['trades', deals.requestCar.body, list(10), list(11)],
  ['version', deals.deleteCar.query, 1, 0],
  ['data.step', deals.updateProgress.body, list(32), list(33)],
  ['data.tradeVins', deals.updateProgress.body, list(10), list(11)],
  ['data.consent', deals.updateProgress.body, x(64), x(65)],
  ['data.textVersion', deals.updateProgress.body, x(64), x(65)],
  ['data.financing.termMonths', deals.updateProgress.body, 1, 0],
  ['data.financing.termMonths', deals.updateProgress.body, 120, 121],
  ['limit', desk.listDeskDeals.query, 1, 0],
  ['limit', desk.listDeskDeals.query, 50, 51],
  ['cursor', desk.listDeskDeals.query, x(200), x(201)],
  ['limit', dealers.listDeliveries.query, 1, 0],
  ['limit', dealers.listDeliveries.query, 200, 201],
  ['cursor', dealers.listDeliveries.query, x(200), x(201)],
  ['areas', dealers.addDealer.body, '94 '.repeat(1000), '94 '.repeat(1001)],
  ['areas', dealers.addDealer.body, '94'.padEnd(10_000), '94'.padEnd(10_001)],
  ['areas', dealers.addDealer.body, '941, 94000-94099', '941, CA'],
  ['agreement.sha256', deliveredPackage1, '0f'.repeat(32), '0F'.repeat(32)],
  ['agreement.sha256', deliveredPackage1, 'a'.repeat(64), 'a'.repeat(65)],
  ['digest', log.proveLogInclusion.params, '0f'.repeat(32), '0F'.repeat(32)],
  ['digest', log.proveLogInclusion.params, 'a'.repeat(64), 'a'.repeat(63)],
  ['size', log.proveLogConsistency.params, '9'.repeat(15), '9'.repeat(16)],
  ['size', log.proveLogConsistency.params, '0', ''],
  ['size', log.proveLogConsistency.params, '10', '-1'],
  ['limit', notifications.listNotifications.query, 1, 0],
  ['limit', notifications.listNotifications.query, 200, 201],
  ['cursor', notifications.listNotifications.query, x(200), x(201)],
  ['buyerId', trades.addTrade.body, x(64), x(65)],
  ['limit', trades.listTrades.query, 1, 0],
  ['limit', trades.listTrades.query, 200, 201],
  ['cursor', trades.listTrades.query, x(200), x(201)],
  ['version', trades.deleteTrade.query, 1, 0],
  ['zipCode', trades.lookUpTaxRate.query, '48201-1234', '482011'],
  ['basePrice', trades.lookUpTaxRate.query, '9500.50', '9500.505'],
]

// R-cars-5
test.each(endpointLimits)('limits %s in its endpoint (case %#)', (path, schema, last, beyond) => {
  expect(faultsAt(schema, path, last)).toEqual([])
  expect(faultsAt(schema, path, beyond)).not.toEqual([])
})

test('reports a missing VIN of a request', () => {
  const { error } = deals.requestCar.body.safeParse({ vin: ' ' })
  expect(error?.issues.find((issue) => issue.path[0] === 'vin')?.message).toBe('VIN is required')
})

/** Returns only the errors at `path`: the rest of the form is missing and has errors of its own. */
function faultsAt(schema: z.ZodType, path: string, value: unknown): string[] {
  const given = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  const { error } = schema.safeParse(given)
  return (error?.issues ?? []).map((issue) => issue.path.join('.')).filter((at) => at.startsWith(path))
}
