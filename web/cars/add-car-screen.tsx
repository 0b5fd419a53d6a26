import { addCar, type Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../decide/act.ts'
import { submits, withServerErrors } from '../ui/fields/form.ts'
import { Card } from '../ui/frame/card.tsx'
import { BackLink } from '../ui/frame/link.tsx'
import { Page } from '../ui/frame/page.tsx'
import { useDraft } from '../who/use-draft.ts'
import { isOutOfReach } from '../wire/refusals.ts'
import { CarAddedDialog, CarNotAddedDialog, ConfirmCarDialog } from './add-car-dialogs.tsx'
import { AddCarFields, type NewCar, newCarOf, useCarForm } from './add-car-form.tsx'

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
    <Page
      title={texts.title}
      width="wizard"
      back={
        <BackLink to="/home" search={{ view: 'selling' }}>
          {texts.back}
        </BackLink>
      }
    >
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
