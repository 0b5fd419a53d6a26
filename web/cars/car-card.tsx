import type { PublicCar } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Vin } from '../ui/deal/vin.tsx'
import { type Fact, FactTable } from '../ui/lists/fact-table.tsx'

const { fields, facts } = carTexts

type KnownCar = Pick<PublicCar, 'vin' | 'make' | 'carModel' | 'year' | 'mileage' | 'color' | 'trim'> & {
  payoff?: boolean
}

/** A car's details in the order of R-cars-1; `payoff` only where it may be shown. */
export function CarFacts({ car, more = [] }: { car: KnownCar; more?: readonly Fact[] }) {
  return (
    <FactTable
      facts={[
        { term: fields.vin, value: <Vin value={car.vin} /> },
        { term: fields.make, value: car.make },
        { term: fields.carModel, value: car.carModel },
        { term: fields.year, value: car.year },
        { term: fields.mileage, value: car.mileage.toLocaleString('en-US') },
        { term: fields.color, value: car.color },
        { term: fields.trim, value: car.trim },
        ...(car.payoff === undefined ? [] : [{ term: facts.payoff, value: yesOrNo(car.payoff) }]),
        ...more,
      ]}
    />
  )
}

const yesOrNo = (value: boolean) => (value ? carTexts.yes : carTexts.no)
