import { expect, test } from 'vitest'
import { bodyOf } from './car-silhouette.tsx'

test.each([
  ['Sedan/Saloon', 'sedan'],
  ['Sport Utility Vehicle (SUV)/Multi-Purpose Vehicle (MPV)', 'suv'],
  ['Crossover Utility Vehicle (CUV)', 'suv'],
  ['Pickup', 'pickup'],
  ['Hatchback/Liftback/Notchback', 'hatchback'],
  ['Wagon', 'wagon'],
  ['Minivan', 'van'],
  ['Cargo Van', 'van'],
  ['Convertible/Cabriolet', 'convertible'],
  ['Coupe', 'coupe'],
  ['Motorcycle - Standard', 'sedan'],
  [null, 'sedan'],
])('%s is drawn as %s', (bodyClass, body) => {
  expect(bodyOf(bodyClass)).toBe(body)
})
