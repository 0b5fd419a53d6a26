import { ApiError } from '@keyturn/contract/shared/error.ts'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useDraft } from '../../auth/use-draft.ts'
import { showServerErrors, submitHandler } from '../../components/fields/form.ts'
import { isUnreachable } from '../errors.ts'

/** First the entry, then a confirmation, then success or an error (R-cars-9, R-trades-16). */
type Step<Given, Added> =
  | { name: 'entry' }
  | { name: 'confirm'; given: Given }
  | { name: 'added'; added: Added }
  | { name: 'failed'; error: ApiError }

type ConfirmedFormOptions<Values, Given, Added> = {
  draft: string
  givenOf: (values: Values) => Given
  add: (given: Given) => Promise<Added>
}

/** Drives a form that shows its values for confirmation. `round` is the key of its fields. */
export function useConfirmedForm<Values extends object, Given, Added>(
  form: UseFormReturnType<Values>,
  { draft, givenOf, add }: ConfirmedFormOptions<Values, Given, Added>,
) {
  const [round, setRound] = useState(0)
  const [step, setStep] = useState<Step<Given, Added>>({ name: 'entry' })
  useDraft(form, draft, { isOver: step.name === 'added' })
  const edit = () => setStep({ name: 'entry' })
  return {
    form,
    round,
    step,
    edit,
    submit: submitHandler(form, (values) => setStep({ name: 'confirm', given: givenOf(values) })),
    confirm: async (given: Given) => {
      try {
        setStep({ name: 'added', added: await add(given) })
      } catch (fault) {
        // The network may return soon, so the confirmation stays open and one more click sends the
        // form.
        if (!(fault instanceof ApiError) || isUnreachable(fault)) throw fault
        if (showServerErrors(form, fault)) return edit()
        setStep({ name: 'failed', error: fault })
      }
    },
    startOver: () => {
      form.reset()
      setRound(round + 1)
      edit()
    },
  }
}
