import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Progress } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { LinkButton } from '../ui/link.tsx'
import { ListTable } from '../ui/list-table.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { EditPriceDialog, RejectedDialog, WithdrawDialog } from './buyer-request-dialogs.tsx'
import { useCarColumns } from './car-columns.tsx'
import { buyersNext } from './next-action.ts'
import { RowButton } from './row-button.tsx'

const texts = dealTexts.home

type BuyerCarsProps = { cars: readonly Car[]; progressOf: (car: Car) => Progress | undefined }
type Open = { dialog: 'rejected' | 'price' | 'withdraw'; car: Car }

/** Buyer View: the cars a person is buying, each with their own request (2 s4). */
export function BuyerCars({ cars, progressOf }: BuyerCarsProps) {
  const columns = useCarColumns()
  const [open, setOpen] = useState<Open | null>(null)
  const next = (car: Car) => buyersNext(car, progressOf(car))
  const close = () => setOpen(null)
  return (
    <>
      <ListTable
        label={texts.buyerTitle}
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
            cell: (car) => (
              <Actions
                car={car}
                next={next(car)}
                hasPassed={progressOf(car)?.passedAt != null}
                onOpen={(dialog) => setOpen({ dialog, car })}
              />
            ),
          },
        ]}
      />
      {open?.dialog === 'rejected' && (
        <RejectedDialog
          car={open.car}
          onEdit={() => setOpen({ dialog: 'price', car: open.car })}
          onDelete={() => setOpen({ dialog: 'withdraw', car: open.car })}
          onClose={close}
        />
      )}
      {open?.dialog === 'price' && <EditPriceDialog car={open.car} onClose={close} />}
      {open?.dialog === 'withdraw' && <WithdrawDialog car={open.car} onClose={close} />}
    </>
  )
}

function statusOf({ status, taken }: Car) {
  if (taken && status !== 'REJECTED') return <StatusBadge status="PENDING" label={texts.taken} />
  return <StatusBadge status={status ?? 'PENDING'} label={status === null ? texts.notRequested : undefined} />
}

type ActionsProps = {
  car: Car
  next: ReturnType<typeof buyersNext>
  hasPassed: boolean
  onOpen: (dialog: Open['dialog']) => void
}

/** A rejected row says why; every other one opens the purchase. Edit is gone once the seller has accepted (2 s4). */
function Actions({ car, next, hasPassed, onOpen }: ActionsProps) {
  const name = carName(car)
  const shown = {
    size: 'sm',
    variant: next.isMine ? 'filled' : 'default',
    'aria-label': texts.of(next.label, name),
  } as const
  const mayEdit = car.status === 'PENDING' || car.status === 'REJECTED'
  const isDone = car.status === 'COMPLETED' || hasPassed
  return (
    <>
      {car.status === 'REJECTED' ? (
        <Button {...shown} onClick={() => onOpen('rejected')}>
          {next.label}
        </Button>
      ) : (
        <LinkButton {...shown} to="/buyer" search={{ userId: car.sellerId, vin: car.vin }}>
          {next.label}
        </LinkButton>
      )}
      {mayEdit && (
        <RowButton label={texts.edit} car={name} icon={IconPencil} onClick={() => onOpen('price')} />
      )}
      {!isDone && (
        <RowButton label={texts.delete} car={name} icon={IconTrash} onClick={() => onOpen('withdraw')} />
      )}
    </>
  )
}
