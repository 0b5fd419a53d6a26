import { expect, test } from 'vitest'
import {
  changesAfterLookUp,
  clearOutdatedValues,
  currentLookUp,
  findOutdatedFields,
  keepEarlierValues,
  type VinValues,
} from './vin-values.ts'

const civic = {
  vin: '2HGFC2F75JH541190',
  make: 'Honda',
  carModel: 'Civic',
  year: 2018,
  trim: 'EX',
  trims: [],
}
const pickup = { vin: '1FTFW1ET9DFC10312', make: 'Ford', carModel: 'F-150', year: 2013, trim: '', trims: [] }
const empty: VinValues = { vin: civic.vin, make: '', carModel: '', year: '', trim: '', lookedUp: null }
const after = (values: VinValues, change: Partial<VinValues>): VinValues => ({ ...values, ...change })
const verified = after(empty, changesAfterLookUp(civic, empty))

test('fills in make, model, year and trim when the VIN is verified', () => {
  expect(verified).toMatchObject({ make: 'Honda', carModel: 'Civic', year: 2018, trim: 'EX' })
  expect(currentLookUp(verified)).toMatchObject(civic)
})

// R-cars-14
test('replaces all four fields when the VIN is verified again, even with empty values', () => {
  const changed = after(verified, { vin: pickup.vin })
  const again = after(changed, changesAfterLookUp(pickup, changed))
  expect(again).toMatchObject({ make: 'Ford', carModel: 'F-150', year: 2013, trim: '' })
  expect(findOutdatedFields(again)).toEqual([])
})

// R-cars-14
test('keeps a typed trim after the first look-up when the VIN does not determine it', () => {
  const typed = after(empty, { vin: pickup.vin, trim: 'XLT' })
  expect(changesAfterLookUp(pickup, typed)).toMatchObject({ trim: 'XLT' })
})

// R-cars-14
test('marks exactly the filled-in fields as outdated when the VIN has changed', () => {
  const changed = after(verified, { vin: civic.vin.slice(0, 16) })
  expect(findOutdatedFields(changed)).toEqual(['make', 'carModel', 'year', 'trim'])
  expect(findOutdatedFields(after(changed, { trim: 'Touring' }))).toEqual(['make', 'carModel', 'year'])
  expect(currentLookUp(changed)).toBeNull()
  expect(findOutdatedFields(verified)).toEqual([])
  expect(findOutdatedFields(empty)).toEqual([])
})

test('restores the details when the earlier VIN is typed again', () => {
  const changed = after(verified, { vin: 'X' })
  expect(currentLookUp(after(changed, { vin: civic.vin }))).toMatchObject(civic)
})

// R-cars-14
test('keeps the details that the person confirmed until the VIN changes again', () => {
  const changed = after(verified, { vin: pickup.vin })
  const confirmed = after(changed, keepEarlierValues(changed))
  expect(confirmed).toMatchObject({ make: 'Honda', trim: 'EX' })
  expect([findOutdatedFields(confirmed), currentLookUp(confirmed)]).toEqual([[], null])
  expect(findOutdatedFields(after(confirmed, { vin: 'X' }))).toEqual(['make', 'carModel', 'year', 'trim'])
})

// R-cars-14
test('clears the details, except those changed by hand', () => {
  const changed = after(verified, { vin: pickup.vin, trim: 'Touring' })
  expect(after(changed, clearOutdatedValues(changed))).toEqual({
    vin: pickup.vin,
    make: '',
    carModel: '',
    year: '',
    trim: 'Touring',
    lookedUp: null,
  })
})
