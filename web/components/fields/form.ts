import { type FormErrors, schemaResolver, type UseFormInput, type UseFormReturnType } from '@mantine/form'
import type { FormEvent } from 'react'
import type { z } from 'zod'
import { countSubmit, validateAfterPress } from './after-press.ts'
import { fieldErrorsIn } from './field-errors.ts'

/** Returns `useForm` options that validate with the contract's schema, on blur and on submit. */
export function formOptions<Values extends object>(
  schema: z.ZodType,
  initialValues: Values,
): UseFormInput<Values> {
  return {
    mode: 'controlled',
    initialValues,
    validate: createValidator(schema),
    validateInputOnBlur: true,
    enhanceGetInputProps: ({ inputProps: { onBlur } }) =>
      onBlur ? { onBlur: (event: unknown) => validateAfterPress(() => onBlur(event)) } : {},
  }
}

/**
 * Returns the first error message for each path. Synchronous, because all schemas of the contract
 * are.
 */
export const createValidator = (schema: z.ZodType): ((values: unknown) => FormErrors) =>
  schemaResolver(schema, { sync: true })

/**
 * Returns a submit handler that validates, then either focuses the first invalid field or calls the
 * action. The server's field errors appear under the fields; any other error is rethrown for the
 * caller to show.
 */
export function submitHandler<Values extends object>(
  form: UseFormReturnType<Values>,
  act: (values: Values) => unknown,
): (event?: FormEvent<HTMLFormElement>) => Promise<void> {
  return async (event) => {
    event?.preventDefault()
    countSubmit()
    const { hasErrors, errors } = await form.validate()
    if (hasErrors) return focusFirstWrong(form, errors)
    try {
      await act(form.getValues())
    } catch (error) {
      if (!showServerErrors(form, error)) throw error
    }
  }
}

/** Sets fields and keeps the errors of the others, which `form.setValues` would clear. */
export function setFields<Values extends object>(
  form: UseFormReturnType<Values>,
  changes: { readonly [Name in keyof Values]?: unknown },
): void {
  for (const [name, value] of Object.entries(changes)) form.setFieldValue(name, value as never)
}

/** Updates untouched fields to the changed values; typed values stay. */
export function updateUntouched<Values extends object>(
  form: UseFormReturnType<Values>,
  before: Values,
  now: Values,
): void {
  const names = Object.keys(now) as (keyof Values)[]
  const untouched = names.filter((name) => form.getValues()[name] === before[name])
  // `setValues` would also clear the errors of all other fields.
  setFields(form, Object.fromEntries(untouched.map((name) => [name, now[name]])) as Partial<Values>)
  // Only typed values count as a draft (R-accounts-31).
  form.resetDirty({ ...form.getInitialValues(), ...now })
}

/** Shows an error's `fields` under the fields. Returns false if none belongs to this form. */
export function showServerErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  error: unknown,
): boolean {
  const errors = fieldErrorsIn(error)
  const own = Object.keys(form.getValues())
  const paths = Object.keys(errors).filter((path) => own.includes(path.split('.')[0] ?? ''))
  if (paths.length === 0) return false
  form.setErrors(errors)
  focusFirstWrong(form, errors)
  return true
}

function focusFirstWrong<Values extends object>(form: UseFormReturnType<Values>, errors: FormErrors) {
  // Runs after the paint that shows the errors, so that a screen reader reads the error with the
  // field. Focuses the first invalid field in visual order.
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
