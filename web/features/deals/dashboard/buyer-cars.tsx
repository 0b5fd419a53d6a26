import { carName } from '@keyturn/contract/cars/rules.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import type { DealMoveName } from '@keyturn/contract/deals/rules.ts'
import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import type { CarDialog } from './car-dialogs.tsx'
import { CarList, type CarsProps } from './car-list.tsx'
import { RowMenu, RowMenuItem } from './row-menu.tsx'
import { rowState } from './row-state.ts'

const texts = dealTexts.home

/** Buyer View: the cars that a person is buying, each with their own request (R-deals-48). */
export function BuyerCars({ cars, onOpen }: CarsProps) {
  return (
    <CarList
      label={texts.buyerTitle}
      cars={cars}
      side="BUYER"
      actionsOf={(car, isNextUp) => (
        <Actions car={car} isNextUp={isNextUp} onOpen={(dialog) => onOpen(dialog, car)} />
      )}
    />
  )
}

type ActionsProps = { car: DashboardCar; isNextUp: boolean; onOpen: (dialog: CarDialog) => void }

/**
 * The button of a rejected row opens the seller's answer; in other rows, it opens the purchase.
 * Edit disappears once the seller has accepted (R-deals-49).
 */
function Actions({ car, isNextUp, onOpen }: ActionsProps) {
  const { nextOf, isOver } = rowState(car, 'BUYER')
  const next = nextOf(car)
  const name = carName(car)
  const shown = {
    size: 'sm',
    variant: isNextUp ? 'filled' : 'default',
    'aria-label': texts.of(next.label, name),
  } as const
  const known = {
    status: car.status,
    passedAt: car.deal?.passedAt ?? null,
    isPaused: car.deal?.isPaused ?? false,
  }
  const may = (move: DealMoveName) => !isOver && mayMove(known, 'BUYER', move)
  return (
    <>
      {next.opensAnswer ? (
        <Button {...shown} onClick={() => onOpen('rejected')}>
          {next.label}
        </Button>
      ) : (
        <LinkButton {...shown} to="/buyer" search={{ userId: car.sellerId, vin: car.vin }}>
          {next.label}
        </LinkButton>
      )}
      {(may('reprice') || may('withdraw')) && (
        <RowMenu car={name}>
          {may('reprice') && (
            <RowMenuItem label={texts.edit} icon={IconPencil} onSelect={() => onOpen('price')} />
          )}
          {may('withdraw') && (
            <RowMenuItem label={texts.delete} icon={IconTrash} onSelect={() => onOpen('withdraw')} />
          )}
        </RowMenu>
      )}
    </>
  )
}
