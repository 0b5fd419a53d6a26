import type { Car } from '@keyturn/contract/cars/calls.ts'
import { termFields } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { editCar } from '@keyturn/contract/deals/calls.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import type { FormErrors } from '@mantine/form'
import { type CarDetails, faultsOfYear } from '../../cars/car-form.tsx'
import { type Change, changesOf } from '../../decide/changes.ts'
import { faultsIn } from '../../ui/fields/form.ts'
import { termFactsOf } from '../term-facts.ts'

const { fields, facts } = carTexts
type Edit = Asked<typeof editCar>['body']

export const detailsOf = (car: Car): CarDetails => ({
  make: car.make,
  carModel: car.carModel,
  year: car.year,
  mileage: car.mileage,
  color: car.color,
  trim: car.trim,
  payoff: car.payoff,
  zipCode: car.zipCode ?? '',
  message: car.message,
})

export const faultsOf = (car: Car, typed: CarDetails): FormErrors => ({
  ...faultsIn(editCar.body)(wireOf(car, typed)),
  ...faultsOfYear(typed.year),
  ...(car.zipCode !== null && typed.zipCode.trim() === '' && { zipCode: carTexts.edit.zipStays }),
})

/** Only changed fields, so that another window's edits are not reverted. Null if nothing has changed. */
export function editOf(car: Car, typed: CarDetails): Edit | null {
  const { vin, version: _, ...said } = editCar.body.parse(wireOf(car, typed))
  const changed = Object.entries(said).filter(([name, value]) => value !== car[name as keyof CarDetails])
  if (changed.length === 0) return null
  return editCar.body.parse({ ...Object.fromEntries(changed), vin, version: car.version })
}

/** The signed terms that an edit changes, old and new. */
export function termChangesIn(car: Car, edit: Edit): Change[] {
  const terms = Object.fromEntries(
    termFields.flatMap((name) => (edit[name] === undefined ? [] : [[name, edit[name]]])),
  )
  return changesOf(factsOf(car), factsOf({ ...car, ...terms })).map((change) => ({
    ...change,
    said: carTexts.edit.becomes(change.before, change.after),
  }))
}

/** The details as shown, for telling what has changed. */
export const factsOf = (car: Car) => [
  ...termFactsOf(car),
  { label: fields.color, value: car.color },
  { label: fields.trim, value: car.trim },
  { label: facts.zipCode, value: car.zipCode ?? carTexts.edit.none },
  { label: facts.message, value: car.message || carTexts.edit.none },
]

/** An empty ZIP code is left out, because the call cannot remove one. */
const wireOf = ({ vin }: Car, { zipCode, ...typed }: CarDetails) => ({
  vin,
  ...typed,
  zipCode: zipCode.trim() === '' ? undefined : zipCode,
})
