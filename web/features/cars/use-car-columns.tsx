import { carName } from '@keyturn/contract/cars/rules.ts'
import { useMediaQuery } from '@mantine/hooks'
import { CarPicture, type PicturedCar } from '../../components/display/car-picture.tsx'
import { IconCircleArrowRight } from '../../components/icons.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { texts } from '../../components/texts.ts'
import classes from './use-car-columns.module.css'

type Shown = PicturedCar & {
  year: number
  make: string
  carModel: string
  trim: string
}
type Headers = Record<'car' | 'year' | 'make' | 'model', string>

type CarColumns<Row> = {
  /** In a line of a narrow window, the name replaces year, make and model, and there are no details. */
  shape: 'row' | 'line'
  /** Describe a car in a row of the list. */
  facts: Column<Row>[]
  /** Describe the car that is next up, with a larger picture and its name as a heading. */
  nextFacts: Column<Row>[]
}

/** Returns the columns that describe a car in a dense table. */
export function useCarColumns<Row extends Shown>(headers: Headers): CarColumns<Row> {
  const isNarrow = useMediaQuery('(max-width: 63.99em)', false, { getInitialValueInEffect: false })
  const picture = (className: string | undefined, sizes: string): Column<Row> => ({
    header: headers.car,
    kind: 'picture',
    cell: (car) => (
      <div className={className}>
        <CarPicture car={car} sizes={sizes} />
      </div>
    ),
  })
  const small = picture(classes.small, '72px')
  const nextFacts: Column<Row>[] = [
    picture(classes.large, isNarrow ? '100vw' : '216px'),
    {
      header: headers.model,
      kind: 'title',
      span: isNarrow ? 1 : 3,
      cell: (car) => (
        <>
          <span className={classes.nextUp}>
            <IconCircleArrowRight size={16} stroke={2} />
            {texts.nextUp}
          </span>
          <h2 className={classes.name}>{carName(car)}</h2>
        </>
      ),
    },
  ]
  const name: Column<Row> = { header: headers.model, kind: 'title', cell: carName }
  const columns: Column<Row>[] = [
    { header: headers.year, cell: ({ year }) => year },
    { header: headers.make, cell: ({ make }) => make },
    { header: headers.model, cell: ({ carModel, trim }) => `${carModel} ${trim}` },
  ]
  return isNarrow
    ? { shape: 'line', facts: [small, name], nextFacts }
    : { shape: 'row', facts: [small, ...columns], nextFacts }
}
