import { expect, test } from 'vitest'
import { bodyTypeOf, carName, isPlausibleModelYear, saleStatuses, termFields } from './rules.ts'

test('has four states of a sale (R-cars-6)', () => {
  expect(saleStatuses).toEqual(['PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED'])
})

// R-cars-7
test('lists make, model, year, mileage and the loan as terms, which void signatures when changed', () => {
  expect(termFields).toEqual([
    ...['make', 'carModel', 'year', 'mileage'],
    ...['payoff', 'payoffAmount', 'lender'],
  ])
})

test('accepts a model year two years ahead but not three (R-cars-4)', () => {
  expect([2026, 2028, 2029].map((modelYear) => isPlausibleModelYear(modelYear, 2026))).toEqual([
    true,
    true,
    false,
  ])
})

test('names a car by year, make, model and trim, as far as they are known', () => {
  const car = { year: 2003, make: 'Honda', carModel: 'Accord' }
  expect(carName({ ...car, trim: 'EX' })).toBe('2003 Honda Accord EX')
  expect(carName({ ...car, trim: '' })).toBe('2003 Honda Accord')
})

// R-cars-21
test.each([
  ['Sedan/Saloon', 'sedan'],
  ['Limousine', 'sedan'],
  ['Sport Utility Vehicle (SUV)/Multi-Purpose Vehicle (MPV)', 'suv'],
  ['Crossover Utility Vehicle (CUV)', 'crossover'],
  ['Pickup', 'pickup'],
  ['Truck', 'pickup'],
  ['Sport Utility Truck (SUT)', 'pickup'],
  ['Hatchback/Liftback/Notchback', 'hatchback'],
  ['Wagon', 'wagon'],
  ['Minivan', 'minivan'],
  ['Cargo Van', 'van'],
  ['Convertible/Cabriolet', 'convertible'],
  ['Roadster', 'convertible'],
  ['Coupe', 'coupe'],
  ['Motorcycle - Standard', null],
  ['', null],
  [null, null],
])('maps the body class %s to %s', (bodyClass, bodyType) => {
  expect(bodyTypeOf(bodyClass)).toBe(bodyType)
})
