import { addCar, type Car } from '@keyturn/contract/cars/calls.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../decide/act.ts'
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx'
import { Dialog } from '../ui/feedback/dialog.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { FailureDialog } from '../ui/feedback/failure-dialog.tsx'
import { Outcome } from '../ui/feedback/outcome.tsx'
import { submits, withServerErrors } from '../ui/fields/form.ts'
import { Card } from '../ui/frame/card.tsx'
import { BackHome, HomeButton, LinkButton } from '../ui/frame/link.tsx'
import { Page } from '../ui/frame/page.tsx'
import { useDraft } from '../who/use-draft.ts'
import { isOutOfReach } from '../wire/refusals.ts'
import { AddCarFields, type NewCar, newCarOf, useCarForm } from './add-car-form.tsx'
import { CarFacts } from './car-card.tsx'
import { openSheet } from './invitation.ts'
import { useInvitation } from './use-invitation.ts'

const texts = carTexts.add

/** Entry, then a confirm dialog, then success or error (R-cars-9). */
type Step =
  | { name: 'entry' }
  | { name: 'confirm'; car: NewCar; trouble: Refusal | null }
  | { name: 'added'; car: Car }
  | { name: 'failed'; refusal: Refusal }

export function AddCarScreen() {
  const form = useCarForm()
  const [round, setRound] = useState(0)
  const [step, setStep] = useState<Step>({ name: 'entry' })
  useDraft(form, 'add-car', { isOver: step.name === 'added' })
  const adding = useAct(addCar, { refresh: [['deals'], ['cars']] })

  const edit = () => setStep({ name: 'entry' })
  const startAnew = () => {
    form.reset()
    setRound(round + 1)
    edit()
  }
  const add = async (car: NewCar) => {
    try {
      setStep({ name: 'added', car: await adding.act({ body: car }) })
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      // The network may be away only briefly, so what was confirmed stays and one more click sends it.
      if (isOutOfReach(fault)) return setStep({ name: 'confirm', car, trouble: fault })
      if (withServerErrors(form, fault)) return edit()
      setStep({ name: 'failed', refusal: fault })
    }
  }

  return (
    <Page title={texts.title} width="wizard" back={<BackHome side="selling">{texts.back}</BackHome>}>
      <Card>
        <form
          noValidate
          onSubmit={submits(form, (values) =>
            setStep({ name: 'confirm', car: newCarOf(values), trouble: null }),
          )}
        >
          <Stack gap="lg">
            <AddCarFields key={round} form={form} />
            <Group justify="flex-end">
              <Button type="submit">{texts.submit}</Button>
            </Group>
          </Stack>
        </form>
      </Card>
      {step.name === 'confirm' && (
        <ConfirmCarDialog
          car={step.car}
          refusal={step.trouble}
          onConfirm={() => add(step.car)}
          onClose={edit}
        />
      )}
      {step.name === 'added' && <CarAddedDialog car={step.car} onClose={startAnew} />}
      {step.name === 'failed' && (
        <CarNotAddedDialog refusal={step.refusal} onTryAgain={startAnew} onEdit={edit} />
      )}
    </Page>
  )
}

type ConfirmCarProps = {
  car: NewCar
  refusal: Refusal | null
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Shows every field again before the car is listed. */
function ConfirmCarDialog({ car, refusal, onConfirm, onClose }: ConfirmCarProps) {
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
function CarAddedDialog({ car, onClose }: { car: Car; onClose: () => void }) {
  const { sellerId: userId, vin } = car
  const invitation = useInvitation(car)
  return (
    <Dialog
      title={carName(car)}
      onClose={onClose}
      actions={
        <>
          <HomeButton side="selling" variant="default">
            {texts.toDashboard}
          </HomeButton>
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

function CarNotAddedDialog({ refusal, ...ways }: CarNotAddedProps) {
  return (
    <FailureDialog
      {...ways}
      title={texts.failedTitle}
      sentence={texts.failed}
      fault={refusal}
      action={<HomeButton side="selling">{texts.toDashboard}</HomeButton>}
    />
  )
}

/** On a phone the buttons at the bottom edge would cover it. */
const bringIntoView = (node: HTMLDivElement | null) => node?.scrollIntoView({ block: 'center' })
