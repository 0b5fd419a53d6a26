import type { FieldError } from '@keyturn/contract/shared/error.ts'
import type { z } from 'zod'

/** The first error message of each invalid path. */
export type FieldErrors = Record<string, string>

export function validate(schema: z.ZodType, values: unknown): FieldErrors {
  const { error } = schema.safeParse(values)
  return firstOfEach(
    (error?.issues ?? []).map(({ path, message }) => ({ path: path.map(String).join('.'), message })),
  )
}

export const fieldErrorsIn = (error: unknown): FieldErrors => firstOfEach(faultsOf(error))

function firstOfEach(faults: readonly FieldError[]): FieldErrors {
  const sentences: FieldErrors = {}
  for (const { path, message } of faults) sentences[path] ??= message
  return sentences
}

function faultsOf(error: unknown): readonly FieldError[] {
  if (typeof error !== 'object' || error === null || !('fields' in error)) return []
  return Array.isArray(error.fields) ? error.fields : []
}
