import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { termFields } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'

const { fields, facts, yes, no } = carTexts

export type CarTerms = Pick<Car, (typeof termFields)[number]>

export const carTermFacts = ({ make, carModel, year, mileage, payoff }: CarTerms) => [
  { label: fields.make, value: make },
  { label: fields.carModel, value: carModel },
  { label: fields.year, value: String(year) },
  { label: fields.mileage, value: formatMiles(mileage) },
  { label: facts.payoff, value: payoff ? yes : no },
]
