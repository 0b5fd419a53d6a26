import type { Car } from '@keyturn/contract/cars/calls.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import type { ReactNode } from 'react'
import { ListTable } from '../../ui/lists/list-table.tsx'
import { useCarColumns } from './car-columns.tsx'
import type { CarDialog } from './car-dialogs.tsx'
import type { NextAction } from './next-action.ts'

const { columns } = dealTexts.home

/** The rows of either dashboard. */
export type CarsProps = {
  cars: readonly Car[]
  progressOf: (car: Car) => Progress | undefined
  onOpen: (dialog: CarDialog, car: Car) => void
}

type CarListProps = {
  label: string
  cars: readonly Car[]
  next: (car: Car) => NextAction
  statusOf: (car: Car) => ReactNode
  actionsOf: (car: Car) => ReactNode
  /** A click anywhere in a row does what its button does. */
  rowsOpen?: boolean
}

/** A person's cars on one side, each with its next action. */
export function CarList({ label, cars, next, statusOf, actionsOf, rowsOpen }: CarListProps) {
  const facts = useCarColumns()
  return (
    <ListTable
      label={label}
      rows={cars}
      rowKey={(car) => car._id}
      isYourTurn={(car) => next(car).isMine}
      rowsOpen={rowsOpen}
      columns={[
        ...facts,
        { key: 'status', header: columns.status, cell: statusOf },
        { key: 'actions', header: columns.actions, kind: 'action', cell: actionsOf },
      ]}
    />
  )
}
