import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { deleteCar, type Progress } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Text } from '@mantine/core'
import { IconLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useAct } from '../act.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { LinkButton } from '../ui/link.tsx'
import { ListTable } from '../ui/list-table.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { useCarColumns } from './car-columns.tsx'
import { sellersNext } from './next-action.ts'
import { reasonOf } from './reason.ts'
import { RowButton, RowLink } from './row-button.tsx'

const texts = dealTexts.home

type SellerCarsProps = { cars: readonly Car[]; progressOf: (car: Car) => Progress | undefined }

/** Seller View: the cars a person sells (1 s2). */
export function SellerCars({ cars, progressOf }: SellerCarsProps) {
  const columns = useCarColumns()
  const [leaving, setLeaving] = useState<Car | null>(null)
  const next = (car: Car) => sellersNext(car, progressOf(car))
  return (
    <>
      <ListTable
        label={texts.sellerTitle}
        rows={cars}
        rowKey={(car) => car._id}
        isYourTurn={(car) => next(car).isMine}
        columns={[
          ...columns,
          { key: 'status', header: texts.columns.status, cell: statusOf },
          {
            key: 'actions',
            header: texts.columns.actions,
            kind: 'action',
            cell: (car) => <Actions car={car} next={next(car)} onDelete={() => setLeaving(car)} />,
          },
        ]}
      />
      {leaving && <DeleteListing car={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

const statusOf = ({ status, buyerId }: Car) => (
  <StatusBadge
    status={status ?? 'PENDING'}
    label={status === 'PENDING' && !buyerId ? texts.forSale : undefined}
  />
)

type ActionsProps = { car: Car; next: ReturnType<typeof sellersNext>; onDelete: () => void }

/** With a buyer accepted, Link, Edit and Delete rest (1 s4); the deal itself stays open to be seen. */
function Actions({ car, next, onDelete }: ActionsProps) {
  const isTaken = car.status === 'ACCEPTED' || car.status === 'COMPLETED'
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
      {isTaken ? (
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
      <RowButton {...lesser} label={texts.delete} icon={IconTrash} disabled={isTaken} onClick={onDelete} />
    </>
  )
}

function DeleteListing({ car, onClose }: { car: Car; onClose: () => void }) {
  const { act } = useAct(deleteCar, { refresh: [['deals'], ['cars']] })
  const { sellerId: userId, vin } = car
  return (
    <ConfirmDialog
      title={texts.deleteListingTitle}
      confirm={texts.delete}
      cancel={texts.cancel}
      danger
      failed={reasonOf}
      onConfirm={() => act({ params: { userType: 'SELLER', userId, vin } }).then(onClose)}
      onClose={onClose}
    >
      <Text>{texts.deleteListingQuestion(carName(car))}</Text>
    </ConfirmDialog>
  )
}
