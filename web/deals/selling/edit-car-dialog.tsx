import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { editCar, type Request } from '@keyturn/contract/deals/calls.ts'
import { isTaken } from '@keyturn/contract/deals/rules.ts'
import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { type CarDetails, CarFields } from '../../cars/car-form.tsx'
import { useAct } from '../../decide/act.ts'
import { Behind } from '../../decide/behind.tsx'
import { ChangeList } from '../../decide/change-list.tsx'
import { type Change, changesOf } from '../../decide/changes.ts'
import { useFormAct } from '../../decide/form-act.ts'
import { useSeen } from '../../decide/seen.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { announce, Notice } from '../../ui/feedback/notice.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { formOf } from '../../ui/fields/form.ts'
import { VinField } from '../../ui/fields/vin-field.tsx'
import { detailsOf, editOf, factsOf, faultsOf, termChangesIn } from './car-details.ts'
import { namesOf, waitingIn } from './request-facts.ts'
import { useListingSeen } from './use-listing-seen.ts'

const texts = carTexts.edit

/** What a person has been told that saving changes, and for whom. */
type Warned = { typed: CarDetails; changes: Change[]; consequence: string }
type EditCarProps = { car: Car; onClose: () => void }

/** Mends what the seller has said of the car. Where that changes what others have signed, it is said before it is done. */
export function EditCarDialog({ car, onClose }: EditCarProps) {
  const editing = useAct(editCar, { refresh: [['cars'], ['deals']] })
  const seen = useSeen(
    car,
    (one, other) => changesOf(factsOf(one), factsOf(other)).length === 0,
    editing.mayBeDone,
  )
  // Whose signature an edit ends is known only once the requests are read.
  const listing = useListingSeen(car, editing.mayBeDone)
  const isStale = seen.isStale || listing.isStale
  const waiting = waitingIn(listing.shown?.requests ?? [])
  const form = useForm<CarDetails>({
    ...formOf(editCar.body, detailsOf(car)),
    validate: (typed) => faultsOf(car, typed),
  })
  const [warned, setWarned] = useState<Warned | null>(null)
  const consequence = consequenceFor(waiting)
  const isWarnedOf = (typed: CarDetails) => warned?.typed === typed && warned.consequence === consequence
  const { submit, trouble, forget } = useFormAct(form, async (typed) => {
    if (!listing.shown || isStale) return
    const read = listing.shown.car
    const edit = editOf(read, typed)
    const changes = edit && waiting.length > 0 ? termChangesIn(read, edit) : []
    if (changes.length > 0 && !isWarnedOf(typed)) return setWarned({ typed, changes, consequence })
    if (edit) {
      await editing.act({ body: edit })
      announce(texts.saved)
    }
    onClose()
  })
  const isFixed = isTaken(car.status) && !editing.mayBeDone
  const isWarned = isWarnedOf(form.values)
  const { failed } = listing

  const takeOver = () => {
    const [before, now, typed] = [detailsOf(seen.shown), detailsOf(car), form.getValues()]
    const names = Object.keys(now) as (keyof CarDetails)[]
    // What was typed stays; the other fields follow.
    form.setValues(
      Object.fromEntries(
        names.filter((name) => typed[name] === before[name]).map((name) => [name, now[name]]),
      ),
    )
    seen.catchUp()
    listing.catchUp()
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
            disabled={isFixed || !listing.shown || isStale}
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
    if (failed) return <Trouble onRetry={() => failed.refetch()}>{failed.error?.message}</Trouble>
    if (isStale) {
      const changes = [...changesOf(factsOf(seen.shown), factsOf(car)), ...listing.changes]
      return <Behind title={texts.changed} changes={changes} goOn={texts.takeOver} onGoOn={takeOver} />
    }
    if (trouble) return <Trouble>{trouble.message}</Trouble>
    return (
      isWarned &&
      warned && (
        <Notice kind="waiting" title={texts.termsTitle}>
          <Stack gap="xs">
            <ChangeList changes={warned.changes} />
            {consequence}
          </Stack>
        </Notice>
      )
    )
  }
}

/** Who has signed loses a signature; who has only asked is shown what changes. */
function consequenceFor(waiting: readonly Request[]): string {
  const signed = waiting.filter(({ buyerSigned }) => buyerSigned)
  return signed.length > 0
    ? texts.voids(namesOf(signed), signed.length)
    : texts.asked(namesOf(waiting), waiting.length)
}
