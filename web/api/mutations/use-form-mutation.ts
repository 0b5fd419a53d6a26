import type { ApiError } from '@keyturn/contract/shared/error.ts'
import type { UseFormReturnType } from '@mantine/form'
import { type FormEvent, useState } from 'react'
import { showServerErrors, submitHandler } from '../../components/fields/form.ts'

/**
 * Drives a form that makes one change. The server's field errors appear under the fields. Any other
 * failure is returned as `trouble`, and the typed values stay.
 */
export function useFormMutation<Values extends object>(
  form: UseFormReturnType<Values>,
  act: (values: Values) => Promise<unknown>,
) {
  const [trouble, setTrouble] = useState<ApiError | null>(null)
  const submit = (event?: FormEvent<HTMLFormElement>): Promise<void> => {
    event?.preventDefault()
    setTrouble(null)
    return submitHandler(form, (values) =>
      act(values).catch((error: ApiError) => {
        if (!showServerErrors(form, error)) setTrouble(error)
      }),
    )(event)
  }
  return { submit, trouble, clearError: () => setTrouble(null) }
}
