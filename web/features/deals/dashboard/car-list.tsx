import type { Party } from '@keyturn/contract/accounts/rules.ts'
import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Money } from '../../../components/display/money.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Vin } from '../../../components/display/vin.tsx'
import { type Column, ListTable } from '../../../components/lists/list-table.tsx'
import { useCarColumns } from '../../cars/use-car-columns.tsx'
import type { CarDialog } from './car-dialogs.tsx'
import classes from './car-list.module.css'
import { type NamedPrice, rowState, sortTurnFirst } from './row-state.ts'

const { columns, toBeAgreed } = dealTexts.home

export type CarsProps = {
  cars: readonly DashboardCar[]
  onOpen: (dialog: CarDialog, car: DashboardCar) => void
}

type CarListProps = {
  label: string
  cars: readonly DashboardCar[]
  side: Party
  actionsOf: (car: DashboardCar) => ReactNode
}

export function CarList({ label, cars, side, actionsOf }: CarListProps) {
  const facts = useCarColumns<DashboardCar>(columns, '63.99em')
  const standing: Column<DashboardCar>[] = [
    {
      header: columns.price,
      kind: 'number',
      cell: (car) => <Prices prices={rowState(car, side).pricesOf(car)} />,
    },
    {
      header: columns.status,
      cell: (car) => (
        <Stack gap={2} className={classes.standing}>
          <StatusBadge {...rowState(car, side).badge} />
          <Text size="xs" c="dimmed">
            {rowState(car, side).noteOf(car)}
          </Text>
          {car.newMessages > 0 && (
            <Text size="xs" fw={550}>
              {messagesTexts.count(car.newMessages)}
            </Text>
          )}
        </Stack>
      ),
    },
  ]
  return (
    <ListTable
      label={label}
      rows={sortTurnFirst(cars, side)}
      isYourTurn={(car) => rowState(car, side).nextOf(car).isMine}
      rowsOpen
      columns={[
        ...facts,
        { header: columns.vin, cell: ({ vin }) => <Vin value={vin} /> },
        ...standing,
        { header: columns.actions, kind: 'action', cell: actionsOf },
      ]}
    />
  )
}

/** Emphasizes the first price, which is the current one, and says what each price is. */
function Prices({ prices }: { prices: NamedPrice[] }) {
  return (
    <Stack gap={8}>
      {prices.map(({ cents, name }, place) => (
        <div key={name} className={place === 0 ? classes.price : classes.beside}>
          <Money cents={cents} unset={toBeAgreed} />
          {cents !== null && <span className={classes.name}>{name}</span>}
        </div>
      ))}
    </Stack>
  )
}
