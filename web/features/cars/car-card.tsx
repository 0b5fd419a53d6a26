import type { DetailName, OptionalDetails, PublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { describeOwed } from '@keyturn/contract/cars/loan-texts.ts'
import { carTexts, detailNames, detailTexts } from '@keyturn/contract/cars/texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import type { Cents } from '@keyturn/contract/shared/money.ts'
import { sanitizeLine } from '@keyturn/contract/shared/visible-text.ts'
import { Text } from '@mantine/core'
import { Vin } from '../../components/display/vin.tsx'
import { type Fact, FactTable } from '../../components/lists/fact-table.tsx'

const { fields, facts } = carTexts

type KnownCar = Pick<PublicCar, 'vin' | 'make' | 'carModel' | 'year' | 'mileage' | 'color' | 'trim'> & {
  /** Omitted for a sold car. */
  payoff?: boolean
  /** Only for the seller. */
  payoffAmount?: Cents | null | undefined
  lender?: string | undefined
}

/** A car's details in the order of R-cars-1. */
export function CarFacts({ car, more = [] }: { car: KnownCar; more?: readonly Fact[] }) {
  return (
    <FactTable
      isChips
      facts={[
        { term: fields.vin, value: <Vin value={car.vin} />, width: 'double' },
        { term: fields.make, value: sanitizeLine(car.make) },
        { term: fields.carModel, value: sanitizeLine(car.carModel) },
        { term: fields.year, value: car.year },
        { term: fields.mileage, value: formatMiles(car.mileage) },
        { term: fields.color, value: sanitizeLine(car.color) },
        { term: fields.trim, value: sanitizeLine(car.trim) },
        {
          term: facts.payoff,
          value: car.payoff === undefined ? null : describeOwed({ ...car, payoff: car.payoff }),
        },
        ...more,
      ]}
    />
  )
}

const publicFactOf = (car: OptionalDetails, name: DetailName) => {
  const { label, publicLabel, publicOptions } = detailTexts[name]
  const value = car[name]
  return { term: publicLabel ?? label, value: (value !== null && publicOptions?.[value]) || value }
}

/**
 * Returns the optional details that are a few words each. Longer texts are shown elsewhere
 * (R-cars-29).
 */
export const detailFacts = (car: OptionalDetails): Fact[] =>
  detailNames.filter((name) => !detailTexts[name].isProse).map((name) => publicFactOf(car, name))

export const hasDetails = (car: OptionalDetails): boolean => detailNames.some((name) => car[name])

/** Shows all optional details as they were typed. The description needs no label. */
export const SellerDescription = ({ car }: { car: OptionalDetails }) => (
  <>
    {car.description && <Text style={asTyped}>{car.description}</Text>}
    <FactTable
      facts={detailNames
        .filter((name) => name !== 'description')
        .map((name) => publicFactOf(car, name))
        .map((fact) => ({ ...fact, value: fact.value && <span style={asTyped}>{fact.value}</span> }))}
    />
  </>
)

const asTyped = { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } as const

/** Returns the public note about a loan on the car (R-cars-16). */
export const loanNote = ({ payoff }: Pick<PublicCar, 'payoff'>) => (payoff ? carTexts.owed : undefined)
