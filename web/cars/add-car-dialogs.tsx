import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Text } from '@mantine/core'
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx'
import { Dialog } from '../ui/feedback/dialog.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { FailureDialog } from '../ui/feedback/failure-dialog.tsx'
import { Outcome } from '../ui/feedback/outcome.tsx'
import { LinkButton } from '../ui/frame/link.tsx'
import type { NewCar } from './add-car-form.tsx'
import { CarFacts } from './car-card.tsx'
import { openSheet } from './invitation.ts'
import { useInvitation } from './use-invitation.ts'

const texts = carTexts.add

type ConfirmCarProps = {
  car: NewCar
  refusal: Refusal | null
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Shows every field again before the car is listed. */
export function ConfirmCarDialog({ car, refusal, onConfirm, onClose }: ConfirmCarProps) {
  return (
    <ConfirmDialog
      title={texts.confirmTitle}
      confirm={texts.confirm}
      cancel={texts.edit}
      working={texts.confirming}
      size="md"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text>{texts.confirmLead}</Text>
      <CarFacts
        car={car}
        more={[
          {
            term: carTexts.facts.price,
            value: car.price === null ? carTexts.toBeAgreed : formatUsd(car.price),
          },
          { term: carTexts.facts.zipCode, value: car.zipCode || null },
          { term: carTexts.facts.message, value: car.message },
        ]}
      />
      {refusal && (
        <div ref={bringIntoView}>
          <Failure sentence={texts.failed} fault={refusal} />
        </div>
      )}
    </ConfirmDialog>
  )
}

/** Leads to the share screen and, where the device has a share sheet, opens it at once. */
export function CarAddedDialog({ car, onClose }: { car: Car; onClose: () => void }) {
  const { sellerId: userId, vin } = car
  const invitation = useInvitation(car)
  return (
    <Dialog
      title={carName(car)}
      onClose={onClose}
      actions={
        <>
          <LinkButton to="/home" search={{ view: 'selling' }} variant="default">
            {texts.toDashboard}
          </LinkButton>
          <LinkButton
            to="/car/seller"
            search={{ userId, vin }}
            onClick={() => void openSheet(navigator, invitation)}
          >
            {texts.toShare}
          </LinkButton>
        </>
      }
    >
      <Outcome kind="good" title={texts.done}>
        {texts.doneHint}
      </Outcome>
    </Dialog>
  )
}

type CarNotAddedProps = { refusal: Refusal; onTryAgain: () => void; onEdit: () => void }

export function CarNotAddedDialog({ refusal, ...ways }: CarNotAddedProps) {
  return (
    <FailureDialog
      {...ways}
      title={texts.failedTitle}
      sentence={texts.failed}
      fault={refusal}
      action={
        <LinkButton to="/home" search={{ view: 'selling' }}>
          {texts.toDashboard}
        </LinkButton>
      }
    />
  )
}

/** On a phone the buttons at the bottom edge would cover it. */
const bringIntoView = (node: HTMLDivElement | null) => node?.scrollIntoView({ block: 'center' })
