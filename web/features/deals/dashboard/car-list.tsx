import type { Party } from '@keyturn/contract/accounts/rules.ts'
import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import type { ReactNode } from 'react'
import { Vin } from '../../../components/display/vin.tsx'
import { type Column, ListTable } from '../../../components/lists/list-table.tsx'
import { RowPrices, type RowShape, RowStatus } from '../../cars/row-facts.tsx'
import { useCarColumns } from '../../cars/use-car-columns.tsx'
import type { CarDialog } from './car-dialogs.tsx'
import { rowState, sortTurnFirst } from './row-state.ts'

const { columns, listed, toBeAgreed } = dealTexts.home

export type CarsProps = {
  cars: readonly DashboardCar[]
  onOpen: (dialog: CarDialog, car: DashboardCar) => void
}

type CarListProps = {
  label: string
  cars: readonly DashboardCar[]
  side: Party
  actionsOf: (car: DashboardCar, isNextUp: boolean) => ReactNode
}

/** The first car whose turn is the person's is next up, and has the only primary button (R-deals-101). */
export function CarList({ label, cars, side, actionsOf }: CarListProps) {
  const { shape, facts, nextFacts } = useCarColumns<DashboardCar>(columns)
  const sorted = sortTurnFirst(cars, side)
  const isYourTurn = (car: DashboardCar) => rowState(car, side).nextOf(car).isMine
  const [first] = sorted
  const nextUp = first && isYourTurn(first) ? first : undefined
  const stateColumns = (of: RowShape): Column<DashboardCar>[] => [
    ...(shape === 'line' ? [] : [vin]),
    {
      header: columns.price,
      kind: 'number',
      cell: (car) => <RowPrices shape={of} prices={pricesOf(car, side, of)} unset={toBeAgreed} />,
    },
    {
      header: columns.status,
      kind: 'status',
      cell: (car) => (
        <RowStatus
          shape={of}
          {...statusOf(car, side, of)}
          newMessages={car.newMessages > 0 ? messagesTexts.count(car.newMessages) : undefined}
        />
      ),
    },
    { header: columns.actions, kind: 'action', cell: (car) => actionsOf(car, of === 'nextUp') },
  ]
  return (
    <ListTable
      label={label}
      rows={sorted}
      next={nextUp && { row: nextUp, columns: [...nextFacts, ...stateColumns('nextUp')] }}
      columns={[...facts, ...stateColumns(shape)]}
      isYourTurn={isYourTurn}
      rowsOpen
      isDense
    />
  )
}

const vin: Column<DashboardCar> = { header: columns.vin, cell: (car) => <Vin value={car.vin} /> }

/** A line has space for one price: a buyer's offer, or what a seller asks for. */
function pricesOf(car: DashboardCar, side: Party, shape: RowShape) {
  const prices = rowState(car, side).pricesOf(car)
  if (shape !== 'line') return prices
  return side === 'BUYER' ? prices.slice(-1) : prices.slice(0, 1)
}

/** A line has space for the status or its explanation, unless that is short. */
function statusOf(car: DashboardCar, side: Party, shape: RowShape) {
  const { badge, noteOf, nextOf } = rowState(car, side)
  const { isMine, reason } = nextOf(car)
  const note = (shape === 'nextUp' && reason) || noteOf(car)
  if (shape !== 'line' || note === '' || note === listed) return { badge, note }
  return { badge: { status: isMine ? 'YOUR_TURN' : badge.status, label: note } as const, note: '' }
}
