import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useDraft } from '../../auth/use-draft.ts'
import { showServerErrors, submitHandler } from '../../components/fields/form.ts'

/** First the entry, then a confirmation, then success or an error (R-cars-9, R-trades-16). */
type Step<Given, Added> =
  | { name: 'entry' }
  | { name: 'confirm'; given: Given }
  | { name: 'added'; added: Added }
  | { name: 'failed'; error: unknown }

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
  /** The values of the form that Try Again has emptied. */
  const [emptied, setEmptied] = useState<Values | null>(null)
  const canPutBack = emptied !== null && !form.isDirty()
  useDraft(canPutBack ? { ...form, getValues: () => emptied, isDirty: () => true } : form, draft, {
    isOver: step.name === 'added',
  })
  const reset = () => {
    form.reset()
    setRound(round + 1)
  }
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
        if (showServerErrors(form, fault)) return edit()
        setStep({ name: 'failed', error: fault })
      }
    },
    startOver: () => {
      reset()
      setEmptied(null)
      edit()
    },
    /** Closes the error and resets the form, as specified; `putBack` undoes the reset. */
    tryAgain: () => {
      setEmptied(form.getValues())
      reset()
      edit()
    },
    putBack: canPutBack ? () => form.setValues(emptied) : undefined,
  }
}
