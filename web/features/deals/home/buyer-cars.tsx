import { carName } from '@keyturn/contract/cars/rules.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import type { DealMoveName } from '@keyturn/contract/deals/rules.ts'
import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button } from '@mantine/core'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { IconPencil, IconTrash } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import type { CarDialog } from './car-dialogs.tsx'
import { CarList, type CarsProps } from './car-list.tsx'
import { buyersNext, type NextAction } from './next-action.ts'
import { RowMenu, RowMenuItem } from './row-menu.tsx'
import { buyersPrices, buyersWords } from './row-words.ts'

const texts = dealTexts.home

/** Buyer View: the cars a person is buying, each with their own request (R-deals-48). */
export function BuyerCars({ cars, onOpen }: CarsProps) {
  return (
    <CarList
      label={texts.buyerTitle}
      cars={cars}
      next={buyersNext}
      pricesOf={buyersPrices}
      statusOf={statusOf}
      wordsOf={buyersWords}
      actionsOf={(car) => (
        <Actions car={car} next={buyersNext(car)} onOpen={(dialog) => onOpen(dialog, car)} />
      )}
    />
  )
}

function statusOf({ status, soldElsewhere, calledOff }: DashboardCar) {
  if (calledOff) return <StatusBadge status="REJECTED" label={dealersTexts.calledOff.status} />
  if (soldElsewhere) return <StatusBadge status="REJECTED" label={termsTexts.lost.status} />
  return <StatusBadge status={status ?? 'PENDING'} label={status === null ? texts.notRequested : undefined} />
}

type ActionsProps = { car: DashboardCar; next: NextAction; onOpen: (dialog: CarDialog) => void }

/** A rejected row says why; every other one opens the purchase. Edit is gone once the seller has accepted (R-deals-49). */
function Actions({ car, next, onOpen }: ActionsProps) {
  const name = carName(car)
  const shown = {
    size: 'sm',
    variant: next.isMine ? 'filled' : 'default',
    'aria-label': texts.of(next.label, name),
  } as const
  const known = { status: car.status, passedAt: car.deal?.passedAt ?? null }
  const may = (move: DealMoveName) => !car.soldElsewhere && !car.calledOff && mayMove(known, 'BUYER', move)
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
