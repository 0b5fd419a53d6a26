import { type FormErrors, schemaResolver, type UseFormInput, type UseFormReturnType } from '@mantine/form'
import type { FormEvent } from 'react'
import type { z } from 'zod'
import { fieldErrorsIn } from './field-errors.ts'

/** `useForm(formOf(schema, values))` validates with the contract's own schema, on blur and on submit. */
export function formOf<Values extends object>(
  schema: z.ZodType,
  initialValues: Values,
): UseFormInput<Values> {
  return { mode: 'controlled', initialValues, validate: faultsIn(schema), validateInputOnBlur: true }
}

/** The first sentence of each path, synchronously: none of the contract's schemas is async. */
export const faultsIn = (schema: z.ZodType): ((values: unknown) => FormErrors) =>
  schemaResolver(schema, { sync: true })

/**
 * A submit handler: validates, focuses the first wrong field, or else acts. The server's field errors are shown under
 * the fields; any other refusal is rethrown for the caller to show.
 */
export function submits<Values extends object>(
  form: UseFormReturnType<Values>,
  act: (values: Values) => unknown,
): (event?: FormEvent<HTMLFormElement>) => Promise<void> {
  return async (event) => {
    event?.preventDefault()
    const { hasErrors, errors } = await form.validate()
    if (hasErrors) return focusFirstWrong(form, errors)
    try {
      await act(form.getValues())
    } catch (error) {
      if (!withServerErrors(form, error)) throw error
    }
  }
}

/** Changes some fields and touches no other's error; `form.setValues` would take every error away. */
export function setFields<Values extends object>(
  form: UseFormReturnType<Values>,
  changes: { readonly [Name in keyof Values]?: unknown },
): void {
  for (const [name, value] of Object.entries(changes)) form.setFieldValue(name, value as never)
}

/** What was not touched follows what has changed since; typed values stay. */
export function followChanges<Values extends object>(
  form: UseFormReturnType<Values>,
  before: Values,
  now: Values,
): void {
  const names = Object.keys(now) as (keyof Values)[]
  const untouched = names.filter((name) => form.getValues()[name] === before[name])
  form.setValues(Object.fromEntries(untouched.map((name) => [name, now[name]])) as Partial<Values>)
}

/** Shows a refusal's `fields` under the fields; false if it names none of this form's. */
export function withServerErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  refusal: unknown,
): boolean {
  const errors = fieldErrorsIn(refusal)
  const own = Object.keys(form.getValues())
  const paths = Object.keys(errors).filter((path) => own.includes(path.split('.')[0] ?? ''))
  if (paths.length === 0) return false
  form.setErrors(errors)
  focusFirstWrong(form, errors)
  return true
}

function focusFirstWrong<Values extends object>(form: UseFormReturnType<Values>, errors: FormErrors) {
  // After the paint that shows the sentence, so that it is read with the field; the first one in visual order.
  requestAnimationFrame(() => {
    const wrong = Object.keys(errors)
      .map((path) => form.getInputNode<HTMLElement, never>(path as never))
      .filter((node): node is HTMLElement => node !== null)
    const [first] = wrong.sort((one, other) =>
      one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    )
    first?.focus()
  })
}
