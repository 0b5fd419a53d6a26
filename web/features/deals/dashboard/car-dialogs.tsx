import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { EditPriceDialog, RejectedDialog, WithdrawDialog } from '../buying/buyer-request-dialogs.tsx'
import { DeleteListingDialog } from '../selling/delete-listing-dialog.tsx'

export type CarDialog = 'rejected' | 'price' | 'withdraw' | 'listing'
export type OpenCar = { dialog: CarDialog; carId: string }

type CarDialogsProps = {
  cars: readonly DashboardCar[]
  open: OpenCar | null
  onOpen: (open: OpenCar) => void
  onClose: () => void
}

/**
 * The dialogs of a dashboard's rows. When its row is gone, a dialog stays open and explains why.
 */
export function CarDialogs({ cars, open, onOpen, onClose }: CarDialogsProps) {
  if (!open) return null
  const { dialog, carId } = open
  const row = cars.find(({ _id }) => _id === carId)
  const car = row && { ...row, buyerSigned: row.deal?.buyerSigned === true }
  switch (dialog) {
    case 'rejected':
      return (
        <RejectedDialog
          car={car}
          onEdit={() => onOpen({ dialog: 'price', carId })}
          onDelete={() => onOpen({ dialog: 'withdraw', carId })}
          onClose={onClose}
        />
      )
    case 'price':
      return <EditPriceDialog car={car} onClose={onClose} />
    case 'withdraw':
      return <WithdrawDialog car={car} onClose={onClose} />
    case 'listing':
      return <DeleteListingDialog car={car} onClose={onClose} />
  }
}
