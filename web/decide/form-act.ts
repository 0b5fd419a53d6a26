import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import type { UseFormReturnType } from '@mantine/form'
import { type FormEvent, useState } from 'react'
import { submits, withServerErrors } from '../ui/fields/form.ts'

/**
 * A form that makes one change. What the server says about fields comes to stand under them; whatever else goes
 * wrong comes back as `trouble`, and what was typed stays.
 */
export function useFormAct<Values extends object>(
  form: UseFormReturnType<Values>,
  act: (values: Values) => Promise<unknown>,
) {
  const [trouble, setTrouble] = useState<Refusal | null>(null)
  const submit = (event?: FormEvent<HTMLFormElement>): Promise<void> => {
    event?.preventDefault()
    setTrouble(null)
    return submits(form, (values) =>
      act(values).catch((refusal: Refusal) => {
        if (!withServerErrors(form, refusal)) setTrouble(refusal)
      }),
    )(event)
  }
  return { submit, trouble, forget: () => setTrouble(null) }
}

/** The screen's own sentence for a failure (R-everywhere-8), unless the reason is one that a person can do something about. */
export const sentenceFor = (refusal: Refusal, sentence: string): string =>
  telling.has(refusal.code) || refusal.status >= 500 ? refusal.message : sentence

const telling = new Set<Refusal['code']>([
  'Offline',
  'UnreadableAnswer',
  'TooManyRequests',
  'CommonPassword',
  'CsrfRejected',
])
