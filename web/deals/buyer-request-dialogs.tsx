import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { decideBuyer, deleteCar } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Button, Text } from '@mantine/core'
import { useAct } from '../act.ts'
import { useFormAct } from '../form-act.ts'
import { useMyId } from '../session.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FactTable } from '../ui/fact-table.tsx'
import { MoneyField } from '../ui/money-field.tsx'
import { announce } from '../ui/notice.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { WorkButton } from '../ui/work-button.tsx'
import { priceOf, usePriceForm } from './price-form.ts'
import { reasonOf } from './reason.ts'

const texts = dealTexts.home
const refresh = [['deals'], ['cars']]

type CarOfName = Pick<Car, 'year' | 'make' | 'carModel' | 'trim'>
/** A car by its name, and what the request for it is changed by. */
type Requested = CarOfName & Pick<Car, 'sellerId' | 'vin' | 'price' | 'requestVersion'>
type RejectedDialogProps = {
  car: Requested & Pick<Car, 'message'>
  onEdit: () => void
  onDelete: () => void
  onClose: () => void
}

/** The seller's answer, and the two ways on: another price, or none. */
export function RejectedDialog({ car, onEdit, onDelete, onClose }: RejectedDialogProps) {
  return (
    <Dialog
      title={texts.rejectedTitle}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onDelete}>
            {texts.deleteRequest}
          </Button>
          <Button onClick={onEdit}>{texts.editPrice}</Button>
        </>
      }
    >
      <Text>{texts.rejectedText}</Text>
      <FactTable
        facts={[
          { term: texts.columns.car, value: carName(car) },
          { term: texts.newPrice, value: car.price === null ? null : formatUsd(car.price) },
          { term: texts.sellersMessage, value: car.message || texts.noMessage },
        ]}
      />
    </Dialog>
  )
}

/** Another price brings the request back to PENDING (2 s4). */
export function EditPriceDialog({ car, onClose }: { car: Requested; onClose: () => void }) {
  const form = usePriceForm(car.price)
  const editing = useAct(decideBuyer, { refresh })
  const { submit, trouble } = useFormAct(form, async (values) => {
    await editing.act({
      body: {
        userId: car.sellerId,
        vin: car.vin,
        status: 'PENDING',
        price: priceOf(values),
        version: car.requestVersion ?? undefined,
      },
    })
    announce(texts.priceSaved)
    onClose()
  })
  return (
    <Dialog
      title={texts.editPrice}
      focusInside
      size="sm"
      onClose={onClose}
      onSubmit={submit}
      busy={editing.isWorking}
      trouble={trouble && <Trouble>{trouble.message}</Trouble>}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={editing.isWorking}>
            {texts.cancel}
          </Button>
          <WorkButton type="submit" busy={editing.isWorking} working={texts.saving}>
            {texts.savePrice}
          </WorkButton>
        </>
      }
    >
      <Text>{carName(car)}</Text>
      <MoneyField
        label={texts.newPrice}
        description={texts.priceHint}
        data-autofocus
        maxLength={12}
        {...form.getInputProps('newPrice')}
      />
    </Dialog>
  )
}

export function WithdrawDialog({ car, onClose }: { car: CarOfName & Pick<Car, 'vin'>; onClose: () => void }) {
  const userId = useMyId()
  const { act } = useAct(deleteCar, { refresh })
  return (
    <ConfirmDialog
      title={texts.deleteRequestTitle}
      confirm={texts.delete}
      cancel={texts.cancel}
      danger
      failed={reasonOf}
      onConfirm={() => act({ params: { userType: 'BUYER', userId, vin: car.vin } }).then(onClose)}
      onClose={onClose}
    >
      <Text>{texts.deleteRequestQuestion(carName(car))}</Text>
    </ConfirmDialog>
  )
}
