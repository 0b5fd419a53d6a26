import { carName } from '@keyturn/contract/cars/rules.ts'
import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { CarPicture, type PicturedCar } from '../../components/display/car-picture.tsx'
import type { Column } from '../../components/lists/list-table.tsx'

type Shown = PicturedCar & {
  year: number
  make: string
  carModel: string
  trim: string
}
type Headers = Record<'car' | 'year' | 'make' | 'model', string>

/**
 * Returns the columns that describe a car. In narrower windows, one line replaces three columns.
 */
export function useCarColumns<Row extends Shown>(headers: Headers, narrowerThan: string): Column<Row>[] {
  const isNarrow = useMediaQuery(`(max-width: ${narrowerThan})`, false, { getInitialValueInEffect: false })
  const picture: Column<Row> = {
    header: headers.car,
    kind: 'picture',
    cell: (car) => (
      <Box w={72}>
        <CarPicture car={car} sizes="72px" />
      </Box>
    ),
  }
  if (isNarrow) return [picture, { header: headers.model, kind: 'title', cell: carName }]
  return [
    picture,
    { header: headers.year, cell: ({ year }) => year },
    { header: headers.make, cell: ({ make }) => make },
    { header: headers.model, cell: ({ carModel, trim }) => `${carModel} ${trim}` },
  ]
}
