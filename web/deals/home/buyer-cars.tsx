import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { DealMoveName } from '@keyturn/contract/deals/rules.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { LinkButton } from '../../ui/frame/link.tsx'
import { mayMove } from '../may-move.ts'
import type { CarDialog } from './car-dialogs.tsx'
import { CarList, type CarsProps } from './car-list.tsx'
import { buyersNext, type NextAction } from './next-action.ts'
import { RowButton } from './row-button.tsx'

const texts = dealTexts.home

/** Buyer View: the cars a person is buying, each with their own request (R-deals-48). */
export function BuyerCars({ cars, progressOf, onOpen }: CarsProps) {
  const next = (car: Car) => buyersNext(car, progressOf(car))
  return (
    <CarList
      label={texts.buyerTitle}
      cars={cars}
      next={next}
      statusOf={statusOf}
      rowsOpen
      actionsOf={(car) => (
        <Actions
          car={car}
          next={next(car)}
          passedAt={progressOf(car)?.passedAt ?? null}
          onOpen={(dialog) => onOpen(dialog, car)}
        />
      )}
    />
  )
}

function statusOf({ status, taken, soldElsewhere }: Car) {
  if (soldElsewhere) return <StatusBadge status="REJECTED" label={termsTexts.lost.status} />
  if (taken && status !== 'REJECTED') return <StatusBadge status="PENDING" label={texts.taken} />
  return <StatusBadge status={status ?? 'PENDING'} label={status === null ? texts.notRequested : undefined} />
}

type ActionsProps = {
  car: Car
  next: NextAction
  /** When both had signed, if known. */
  passedAt: string | null
  onOpen: (dialog: CarDialog) => void
}

/** A rejected row says why; every other one opens the purchase. Edit is gone once the seller has accepted (R-deals-49). */
function Actions({ car, next, passedAt, onOpen }: ActionsProps) {
  const name = carName(car)
  const shown = {
    size: 'sm',
    variant: next.isMine ? 'filled' : 'default',
    'aria-label': texts.of(next.label, name),
  } as const
  const may = (move: DealMoveName) =>
    !car.soldElsewhere && mayMove({ status: car.status, passedAt }, 'BUYER', move)
  return (
    <>
      {car.status === 'REJECTED' && !car.soldElsewhere ? (
        <Button {...shown} onClick={() => onOpen('rejected')}>
          {next.label}
        </Button>
      ) : (
        <LinkButton {...shown} to="/buyer" search={{ userId: car.sellerId, vin: car.vin }}>
          {next.label}
        </LinkButton>
      )}
      {may('reprice') && (
        <RowButton label={texts.edit} car={name} icon={IconPencil} onClick={() => onOpen('price')} />
      )}
      {may('withdraw') && (
        <RowButton label={texts.delete} car={name} icon={IconTrash} onClick={() => onOpen('withdraw')} />
      )}
    </>
  )
}
