import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { describeOwed } from '@keyturn/contract/cars/loan-texts.ts'
import type { termFields } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'

const { fields, facts } = carTexts

export type CarTerms = Pick<Car, (typeof termFields)[number]>

export const carTermFacts = ({ make, carModel, year, mileage, ...loan }: CarTerms) => [
  { label: fields.make, value: make },
  { label: fields.carModel, value: carModel },
  { label: fields.year, value: String(year) },
  { label: fields.mileage, value: formatMiles(mileage) },
  { label: facts.payoff, value: describeOwed(loan) },
]
