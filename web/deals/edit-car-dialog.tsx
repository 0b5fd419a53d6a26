import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { editCar, type Request } from '@keyturn/contract/deals/calls.ts'
import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { useAct } from '../act.ts'
import { type CarDetails, CarFields } from '../cars/car-form.tsx'
import { useFormAct } from '../form-act.ts'
import { useSeen } from '../seen.ts'
import { Dialog } from '../ui/dialog.tsx'
import { formOf } from '../ui/form.ts'
import { announce, Notice } from '../ui/notice.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { VinField } from '../ui/vin-field.tsx'
import { WorkButton } from '../ui/work-button.tsx'
import { detailsOf, editOf, factsOf, faultsOf, termChangesIn } from './car-details.ts'
import { ChangeList } from './change-list.tsx'
import { type Change, changesOf } from './changes.ts'

const texts = carTexts.edit

type EditCarProps = { car: Car; requests: readonly Request[]; onClose: () => void }

/** Mends what the seller has said of the car. Where that changes what others have signed, it is said before it is done. */
export function EditCarDialog({ car, requests, onClose }: EditCarProps) {
  const seen = useSeen(car, (one, other) => changesOf(factsOf(one), factsOf(other)).length === 0)
  const form = useForm<CarDetails>({
    ...formOf(editCar.body, detailsOf(car)),
    validate: (typed) => faultsOf(car, typed),
  })
  const [warned, setWarned] = useState<{ typed: CarDetails; changes: Change[] } | null>(null)
  const editing = useAct(editCar, { refresh: [['cars'], ['deals']] })
  const { submit, trouble, forget } = useFormAct(form, async (typed) => {
    const edit = editOf(car, typed)
    const changes = edit && requests.some(isWaiting) ? termChangesIn(car, edit) : []
    if (changes.length > 0 && warned?.typed !== typed) return setWarned({ typed, changes })
    if (edit) {
      await editing.act({ body: edit })
      announce(texts.saved)
    }
    onClose()
  })
  const isSettled = editing.isWorking || editing.done !== undefined
  const isFixed = car.status !== 'PENDING' && !isSettled
  const isStale = seen.isStale && !isSettled
  const isWarned = warned?.typed === form.values

  const takeOver = () => {
    const [before, now] = [detailsOf(seen.shown), detailsOf(car)]
    const names = Object.keys(now) as (keyof CarDetails)[]
    form.setValues(
      Object.fromEntries(names.filter((name) => before[name] !== now[name]).map((name) => [name, now[name]])),
    )
    seen.catchUp()
    forget()
  }

  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      onSubmit={submit}
      busy={editing.isWorking}
      trouble={news()}
      actions={
        <>
          <Button
            variant="default"
            disabled={editing.isWorking}
            onClick={isWarned ? () => setWarned(null) : onClose}
          >
            {isWarned ? texts.backToFields : texts.cancel}
          </Button>
          <WorkButton
            type="submit"
            busy={editing.isWorking}
            working={texts.saving}
            disabled={isFixed || isStale}
          >
            {isWarned ? texts.saveTerms : texts.save}
          </WorkButton>
        </>
      }
    >
      <VinField label={carTexts.fields.vin} description={texts.vinStays} value={car.vin} disabled />
      <CarFields form={form} />
    </Dialog>
  )

  function news(): ReactNode {
    if (isFixed) return <Trouble>{texts.confirmed}</Trouble>
    if (isStale) {
      return (
        <Trouble
          title={texts.changed}
          action={
            <Button variant="default" onClick={takeOver}>
              {texts.takeOver}
            </Button>
          }
        >
          <ChangeList changes={changesOf(factsOf(seen.shown), factsOf(car))} />
        </Trouble>
      )
    }
    if (trouble) return <Trouble>{trouble.message}</Trouble>
    return (
      isWarned && (
        <Notice kind="waiting" title={texts.termsTitle}>
          <Stack gap="xs">
            <ChangeList changes={warned.changes} />
            {consequenceFor(requests)}
          </Stack>
        </Notice>
      )
    )
  }
}

const isWaiting = ({ status }: Request) => status === 'PENDING'

/** Who has signed loses a signature; who has only asked is shown what changes. */
function consequenceFor(requests: readonly Request[]): string {
  const waiting = requests.filter(isWaiting)
  const signed = waiting.filter(({ buyerSigned }) => buyerSigned)
  return signed.length > 0
    ? texts.voids(namesOf(signed), signed.length)
    : texts.asked(namesOf(waiting), waiting.length)
}

const listed = new Intl.ListFormat('en-US')
const namesOf = (requests: readonly Request[]) => listed.format(requests.map(({ buyer }) => fullName(buyer)))
