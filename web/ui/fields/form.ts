import type { FieldFault } from '@keyturn/contract/kit/refusal.ts'
import { type FormErrors, schemaResolver, type UseFormInput, type UseFormReturnType } from '@mantine/form'
import type { FormEvent } from 'react'
import type { z } from 'zod'

/** `useForm(formOf(schema, values))`: the contract's own schema says what is wrong, on leaving a field and on sending. */
export function formOf<Values extends object>(
  schema: z.ZodType,
  initialValues: Values,
): UseFormInput<Values> {
  return { mode: 'controlled', initialValues, validate: faultsIn(schema), validateInputOnBlur: true }
}

/** The first sentence of each path; none of the contract's schemas has to wait for anything. */
export const faultsIn = (schema: z.ZodType): ((values: unknown) => FormErrors) =>
  schemaResolver(schema, { sync: true })

/**
 * A submit handler: checks, goes to the first wrong field, else acts. What the server says about fields comes to
 * stand under them; any other refusal is thrown on, to be shown by whoever called.
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

/** Puts a refusal's `fields` under the fields; false when it names none that this form has. */
export function withServerErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  refusal: unknown,
): boolean {
  const errors = errorsByPath(faultsOf(refusal))
  const own = Object.keys(form.getValues())
  const paths = Object.keys(errors).filter((path) => own.includes(path.split('.')[0] ?? ''))
  if (paths.length === 0) return false
  form.setErrors(errors)
  focusFirstWrong(form, errors)
  return true
}

function focusFirstWrong<Values extends object>(form: UseFormReturnType<Values>, errors: FormErrors) {
  // After the paint that shows the sentence, so that it is read together with the field; first as the eye meets them.
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

function errorsByPath(faults: readonly FieldFault[]): FormErrors {
  const errors: FormErrors = {}
  for (const { path, message } of faults) errors[path] ??= message
  return errors
}

function faultsOf(refusal: unknown): readonly FieldFault[] {
  if (typeof refusal !== 'object' || refusal === null || !('fields' in refusal)) return []
  return Array.isArray(refusal.fields) ? refusal.fields : []
}
