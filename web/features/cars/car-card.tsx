import type { PublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import { shownLine } from '@keyturn/contract/shared/words.ts'
import { Text } from '@mantine/core'
import { Vin } from '../../components/display/vin.tsx'
import { type Fact, FactTable } from '../../components/lists/fact-table.tsx'

const { fields, facts } = carTexts

type KnownCar = Pick<
  PublicCar,
  'vin' | 'make' | 'carModel' | 'year' | 'mileage' | 'color' | 'trim' | 'payoff'
>

/** A car's details in the order of R-cars-1. */
export function CarFacts({ car, more = [] }: { car: KnownCar; more?: readonly Fact[] }) {
  return (
    <FactTable
      facts={[
        { term: fields.vin, value: <Vin value={car.vin} /> },
        { term: fields.make, value: shownLine(car.make) },
        { term: fields.carModel, value: shownLine(car.carModel) },
        { term: fields.year, value: car.year },
        { term: fields.mileage, value: formatMiles(car.mileage) },
        { term: fields.color, value: shownLine(car.color) },
        { term: fields.trim, value: shownLine(car.trim) },
        { term: facts.payoff, value: yesOrNo(car.payoff) },
        ...more,
      ]}
    />
  )
}

/** Owners and title holder, from the seller's description (R-cars-29). */
export const wordFacts = ({ owners, titleHolder }: Pick<PublicCar, 'owners' | 'titleHolder'>): Fact[] => [
  { term: facts.owners, value: owners },
  { term: facts.titleHolder, value: titleHolder && carTexts.titleHolders[titleHolder] },
]

type Said = Pick<PublicCar, 'description' | 'condition' | 'owners' | 'titleHolder'>

/** Whether the seller has described the car. */
export const hasWords = (car: Said): boolean =>
  Boolean(car.description || car.condition || car.owners || car.titleHolder)

/** The seller's description, as typed. */
export const SellerDescription = ({ car }: { car: Said }) => (
  <>
    {car.description && <Text style={asTyped}>{car.description}</Text>}
    <FactTable
      facts={[
        {
          term: carTexts.words.condition,
          value: car.condition && <span style={asTyped}>{car.condition}</span>,
        },
        ...wordFacts(car),
      ]}
    />
  </>
)

const asTyped = { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } as const

/** Returns the public note about a loan on the car (R-cars-16). */
export const loanOn = ({ payoff }: Pick<PublicCar, 'payoff'>) => (payoff ? carTexts.owed : undefined)

const yesOrNo = (value: boolean) => (value ? carTexts.yes : carTexts.no)
