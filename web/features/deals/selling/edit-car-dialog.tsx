import { type Car, editCar } from '@keyturn/contract/cars/endpoints.ts'
import { termFields } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { centsToDollars } from '@keyturn/contract/shared/money.ts'
import { Stack } from '@mantine/core'
import { type FormErrors, useForm } from '@mantine/form'
import { useState } from 'react'
import { ChangeList } from '../../../api/mutations/change-list.tsx'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { useDraft } from '../../../auth/use-draft.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { announce, Notice } from '../../../components/feedback/notice.tsx'
import { createValidator, formOptions, updateUntouched } from '../../../components/fields/form.ts'
import { VinField } from '../../../components/fields/vin-field.tsx'
import { type CarDetails, CarFields, validateYear } from '../../cars/car-form.tsx'
import { loanWireOf } from '../../cars/loan-fields.tsx'
import { carTermFacts } from '../car-term-facts.ts'
import { findListingChanges } from './listing-changes.ts'
import { listNames, pendingRequests } from './request-facts.ts'
import { type Listing, useListing } from './use-listing.ts'

const { fields, facts } = carTexts
const texts = carTexts.edit

/** The edit that the person has been warned about, with its consequence. */
type Warned = { typed: CarDetails; changes: Change[]; consequence: string }
type Details = { car: Car; listing: Listing | undefined }
type EditCarProps = { car: Car; onClose: () => void }

/** Edits the car's details. Asks for confirmation if that changes the terms of waiting requests. */
export function EditCarDialog({ car, onClose }: EditCarProps) {
  const editing = useEndpointMutation(editCar, { refresh: [['cars'], ['deals']] })
  const { listing, failed } = useListing(car)
  // Which signatures would be voided is unknown until the requests are loaded.
  const decision = useDecision<typeof editCar, Details>({
    by: editing,
    current: { car, listing },
    newsOf: newsOfDetails,
    isWhole: (read) => read.listing !== undefined,
  })
  const { read, mayDecide } = decision
  const waiting = pendingRequests(read.listing?.requests ?? [])
  const form = useForm<CarDetails>({
    ...formOptions(editCar.body, detailsOf(car)),
    validate: (typed) => validateDetails(car, typed),
  })
  useDraft(form, 'edit-car')
  const [warned, setWarned] = useState<Warned | null>(null)
  const consequence = consequenceFor(waiting)
  const isWarnedOf = (typed: CarDetails) => warned?.typed === typed && warned.consequence === consequence
  const { submit, trouble, clearError } = useFormMutation(form, async (typed) => {
    if (!read.listing || !mayDecide) return
    const edit = changedFields(read.listing.car, typed)
    const changes = edit && waiting.length > 0 ? termChangesIn(read.listing.car, edit) : []
    if (changes.length > 0 && !isWarnedOf(typed)) return setWarned({ typed, changes, consequence })
    if (edit) {
      await decision.act(() => ({ body: edit }))
      announce(texts.saved)
    }
    onClose()
  })
  const isFixed = isReserved(car.status) && !editing.mayBeDone
  const isWarned = isWarnedOf(form.values)

  const adoptChanges = () => {
    updateUntouched(form, detailsOf(read.car), detailsOf(car))
    clearError()
  }

  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      onSubmit={submit}
      busy={editing.isWorking}
      trouble={
        <DecisionChanges
          decision={decision}
          over={isFixed && texts.confirmed}
          failed={failed}
          changed={texts.changed}
          goOn={texts.takeOver}
          onGoOn={adoptChanges}
        >
          {trouble ? (
            <ErrorNotice>{trouble.message}</ErrorNotice>
          ) : (
            isWarned && warned && <TermsWarning changes={warned.changes} consequence={consequence} />
          )}
        </DecisionChanges>
      }
      actions={
        <FormActions
          cancel={isWarned ? texts.backToFields : undefined}
          onCancel={isWarned ? () => setWarned(null) : onClose}
          busy={editing.isWorking}
          working={texts.saving}
          disabled={isFixed || !read.listing || !mayDecide}
        >
          {isWarned ? texts.saveTerms : texts.save}
        </FormActions>
      }
    >
      <VinField label={carTexts.fields.vin} description={texts.vinStays} value={car.vin} disabled />
      <CarFields form={form} />
    </Dialog>
  )
}

function TermsWarning({ changes, consequence }: Omit<Warned, 'typed'>) {
  return (
    <Notice kind="waiting" title={texts.termsTitle}>
      <Stack gap="xs">
        <ChangeList changes={changes} />
        {consequence}
      </Stack>
    </Notice>
  )
}

const newsOfDetails = (before: Details, after: Details): Change[] => [
  ...changesBetween(factsOf(before.car), factsOf(after.car)),
  ...(before.listing && after.listing ? findListingChanges(before.listing, after.listing) : []),
]

/** Buyers who have signed must sign again; the others only see the change. */
function consequenceFor(waiting: readonly Request[]): string {
  const signed = waiting.filter(({ buyerSigned }) => buyerSigned)
  return signed.length > 0
    ? texts.voids(listNames(signed), signed.length)
    : texts.asked(listNames(waiting), waiting.length)
}

type Edit = EndpointInput<typeof editCar>['body']

const detailsOf = (car: Car): CarDetails => ({
  make: car.make,
  carModel: car.carModel,
  year: car.year,
  mileage: car.mileage,
  color: car.color,
  trim: car.trim,
  payoff: car.payoff,
  payoffAmount: car.payoffAmount ? centsToDollars(car.payoffAmount) : '',
  lender: car.lender ?? '',
  zipCode: car.zipCode ?? '',
  message: car.message,
})

const validateDetails = (car: Car, typed: CarDetails): FormErrors => ({
  ...createValidator(editCar.body)(requestBody(car, typed)),
  ...validateYear(typed.year),
  ...(car.zipCode !== null && typed.zipCode.trim() === '' && { zipCode: carTexts.edit.zipStays }),
})

/**
 * Returns only the changed fields, so that another window's edits are not reverted, or null if
 * nothing has changed.
 */
function changedFields(car: Car, typed: CarDetails): Edit | null {
  const { vin, version: _, ...said } = editCar.body.parse(requestBody(car, typed))
  const before = { ...car, payoffAmount: car.payoffAmount ?? null, lender: car.lender ?? '' }
  const changed = Object.entries(said).filter(([name, value]) => value !== before[name as keyof CarDetails])
  if (changed.length === 0) return null
  return { ...Object.fromEntries(changed), vin, version: car.version }
}

function termChangesIn(car: Car, edit: Edit): Change[] {
  const terms = Object.fromEntries(
    termFields.flatMap((name) => (edit[name] === undefined ? [] : [[name, edit[name]]])),
  )
  return changesBetween(factsOf(car), factsOf({ ...car, ...terms })).map((change) => ({
    ...change,
    sentence: carTexts.edit.becomes(change.before, change.after),
  }))
}

const factsOf = (car: Car) => [
  ...carTermFacts(car),
  { label: fields.color, value: car.color },
  { label: fields.trim, value: car.trim },
  { label: facts.zipCode, value: car.zipCode ?? carTexts.edit.none },
  { label: facts.message, value: car.message || carTexts.edit.none },
]

/** Omits an empty ZIP code, because the endpoint cannot remove one. */
const requestBody = ({ vin }: Car, { zipCode, ...typed }: CarDetails) => ({
  vin,
  ...typed,
  ...loanWireOf(typed),
  zipCode: zipCode.trim() === '' ? undefined : zipCode,
})
