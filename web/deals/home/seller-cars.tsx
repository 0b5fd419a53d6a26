import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { isTaken } from '@keyturn/contract/deals/rules.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { IconLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { LinkButton } from '../../ui/frame/link.tsx'
import { CarList, type CarsProps } from './car-list.tsx'
import { type NextAction, sellersNext } from './next-action.ts'
import { RowButton, RowLink } from './row-button.tsx'

const texts = dealTexts.home

/** Seller View: the cars a person sells (R-deals-48). */
export function SellerCars({ cars, progressOf, onOpen }: CarsProps) {
  const next = (car: Car) => sellersNext(car, progressOf(car))
  return (
    <CarList
      label={texts.sellerTitle}
      cars={cars}
      next={next}
      statusOf={statusOf}
      actionsOf={(car) => <Actions car={car} next={next(car)} onDelete={() => onOpen('listing', car)} />}
    />
  )
}

const statusOf = ({ status, buyerId }: Car) => (
  <StatusBadge
    status={status ?? 'PENDING'}
    label={status === 'PENDING' && !buyerId ? texts.forSale : undefined}
  />
)

type ActionsProps = { car: Car; next: NextAction; onDelete: () => void }

/** With a buyer accepted, there is no Link, Edit or Delete (R-deals-50); the deal itself can still be opened. */
function Actions({ car, next, onDelete }: ActionsProps) {
  const hasBuyer = isTaken(car.status)
  const name = carName(car)
  const search = { userId: car.sellerId, vin: car.vin }
  const lesser = { car: name }
  return (
    <>
      <LinkButton
        to="/car/seller"
        search={search}
        size="sm"
        variant={next.isMine ? 'filled' : 'default'}
        aria-label={texts.of(next.label, name)}
      >
        {next.label}
      </LinkButton>
      {hasBuyer ? (
        <>
          <RowButton {...lesser} label={texts.link} icon={IconLink} disabled />
          <RowButton {...lesser} label={texts.edit} icon={IconPencil} disabled />
        </>
      ) : (
        <>
          <RowLink {...lesser} label={texts.link} icon={IconLink} to="/car" search={search} />
          <RowLink {...lesser} label={texts.edit} icon={IconPencil} to="/car/seller" search={search} />
        </>
      )}
      <RowButton {...lesser} label={texts.delete} icon={IconTrash} disabled={hasBuyer} onClick={onDelete} />
    </>
  )
}
