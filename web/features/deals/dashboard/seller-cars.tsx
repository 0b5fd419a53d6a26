import { carName } from '@keyturn/contract/cars/rules.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { IconLink, IconPencil, IconTrash } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { CarList, type CarsProps } from './car-list.tsx'
import { RowMenu, RowMenuItem, RowMenuLink } from './row-menu.tsx'
import { rowState } from './row-state.ts'

const texts = dealTexts.home

/** Seller View: the cars that a person sells (R-deals-48). */
export function SellerCars({ cars, onOpen }: CarsProps) {
  return (
    <CarList
      label={texts.sellerTitle}
      cars={cars}
      side="SELLER"
      actionsOf={(car, isNextUp) => (
        <Actions car={car} isNextUp={isNextUp} onDelete={() => onOpen('listing', car)} />
      )}
    />
  )
}

type ActionsProps = { car: DashboardCar; isNextUp: boolean; onDelete: () => void }

function Actions({ car, isNextUp, onDelete }: ActionsProps) {
  const { nextOf, isOver } = rowState(car, 'SELLER')
  const next = nextOf(car)
  const name = carName(car)
  const search = { userId: car.sellerId, vin: car.vin }
  return (
    <>
      <LinkButton
        to="/car/seller"
        search={search}
        size="sm"
        variant={isNextUp ? 'filled' : 'default'}
        aria-label={texts.of(next.label, name)}
      >
        {next.label}
      </LinkButton>
      {!isOver && (
        <RowMenu car={name} reason={isReserved(car.status) ? texts.restsWithBuyer : undefined}>
          <Entries isTaken={isReserved(car.status)} search={search} onDelete={onDelete} />
        </RowMenu>
      )}
    </>
  )
}

type EntriesProps = { isTaken: boolean; search: { userId: string; vin: string }; onDelete: () => void }

/**
 * Once a buyer is confirmed, Link, Edit and Delete are disabled (R-deals-50), but the deal can
 * still be opened.
 */
function Entries({ isTaken: hasBuyer, search, onDelete }: EntriesProps) {
  return (
    <>
      {hasBuyer ? (
        <>
          <RowMenuItem label={texts.link} icon={IconLink} disabled />
          <RowMenuItem label={texts.edit} icon={IconPencil} disabled />
        </>
      ) : (
        <>
          <RowMenuLink
            label={texts.link}
            icon={IconLink}
            to="/car"
            search={search}
            reloadDocument
            data-leaves
          />
          <RowMenuLink label={texts.edit} icon={IconPencil} to="/car/seller" search={search} />
        </>
      )}
      <RowMenuItem label={texts.delete} icon={IconTrash} disabled={hasBuyer} onSelect={onDelete} />
    </>
  )
}
