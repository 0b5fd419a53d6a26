import { expect, test } from 'vitest'
import { cleared, filledWith, keptFor, leftFromEarlier, lookUpOf, type VinValues } from './vin-facts.ts'

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
const verified = after(empty, filledWith(civic, empty))

test('verifying fills in make, model, year and trim', () => {
  expect(verified).toMatchObject({ make: 'Honda', carModel: 'Civic', year: 2018, trim: 'EX' })
  expect(lookUpOf(verified)).toMatchObject(civic)
})

// R-cars-14
test('verifying again replaces all four, empty ones too', () => {
  const changed = after(verified, { vin: pickup.vin })
  const again = after(changed, filledWith(pickup, changed))
  expect(again).toMatchObject({ make: 'Ford', carModel: 'F-150', year: 2013, trim: '' })
  expect(leftFromEarlier(again)).toEqual([])
})

// R-cars-14
test('the first time, a trim that the VIN does not say stays as it was typed', () => {
  const typed = after(empty, { vin: pickup.vin, trim: 'XLT' })
  expect(filledWith(pickup, typed)).toMatchObject({ trim: 'XLT' })
})

// R-cars-14
test('after the VIN has changed, what the look-up filled in is from the earlier one, and nothing else', () => {
  const changed = after(verified, { vin: civic.vin.slice(0, 16) })
  expect(leftFromEarlier(changed)).toEqual(['make', 'carModel', 'year', 'trim'])
  expect(leftFromEarlier(after(changed, { trim: 'Touring' }))).toEqual(['make', 'carModel', 'year'])
  expect(lookUpOf(changed)).toBeNull()
  expect(leftFromEarlier(verified)).toEqual([])
  expect(leftFromEarlier(empty)).toEqual([])
})

test('a VIN that is typed back has its details back', () => {
  const there = after(verified, { vin: 'X' })
  expect(lookUpOf(after(there, { vin: civic.vin }))).toMatchObject(civic)
})

// R-cars-14
test('the person keeps what fits the new VIN too, until it changes again', () => {
  const changed = after(verified, { vin: pickup.vin })
  const kept = after(changed, keptFor(changed))
  expect(kept).toMatchObject({ make: 'Honda', trim: 'EX' })
  expect([leftFromEarlier(kept), lookUpOf(kept)]).toEqual([[], null])
  expect(leftFromEarlier(after(kept, { vin: 'X' }))).toEqual(['make', 'carModel', 'year', 'trim'])
})

// R-cars-14
test('or clears it, and what was changed by hand stays', () => {
  const changed = after(verified, { vin: pickup.vin, trim: 'Touring' })
  expect(after(changed, cleared(changed))).toEqual({
    vin: pickup.vin,
    make: '',
    carModel: '',
    year: '',
    trim: 'Touring',
    lookedUp: null,
  })
})
