import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { CarPicture } from '../../ui/deal/car-picture.tsx'
import { Vin } from '../../ui/deal/vin.tsx'
import type { Column } from '../../ui/lists/list-table.tsx'

const { columns } = dealTexts.home

/** A car's facts in both dashboards; on a card, one line replaces three columns of the table. */
export function useCarColumns(): Column<Car>[] {
  const isNarrow = useMediaQuery('(max-width: 63.99em)', false, { getInitialValueInEffect: false })
  return isNarrow ? [picture, name, vin] : [picture, year, make, model, vin]
}

const picture: Column<Car> = {
  key: 'car',
  header: columns.car,
  kind: 'picture',
  cell: (car) => (
    <Box w={72}>
      <CarPicture photos={car.photos} body={car.bodyType} sizes="72px" />
    </Box>
  ),
}
const name: Column<Car> = { key: 'name', header: columns.model, kind: 'title', cell: (car) => carName(car) }
const year: Column<Car> = { key: 'year', header: columns.year, cell: (car) => car.year }
const make: Column<Car> = { key: 'make', header: columns.make, cell: (car) => car.make }
const model: Column<Car> = {
  key: 'model',
  header: columns.model,
  cell: (car) => `${car.carModel} ${car.trim}`,
}
const vin: Column<Car> = { key: 'vin', header: columns.vin, cell: (car) => <Vin value={car.vin} /> }
