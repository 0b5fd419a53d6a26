import type { Car } from '@keyturn/contract/cars/calls.ts'
import type { termFields } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'

const { fields } = carTexts

/** What is signed of a car. */
export type CarTerms = Pick<Car, (typeof termFields)[number]>

/** The same as they are read, to tell what has changed. */
export const termFactsOf = ({ make, carModel, year, mileage }: CarTerms) => [
  { label: fields.make, value: make },
  { label: fields.carModel, value: carModel },
  { label: fields.year, value: String(year) },
  { label: fields.mileage, value: mileage.toLocaleString('en-US') },
]
