import { apiErrors } from '@keyturn/contract/shared/error.ts'

/** Throws 409 with the current state unless `given` is one of the current versions. */
export function requireFreshVersion(
  given: number | undefined,
  present: readonly number[],
  current: () => unknown,
): void {
  if (given !== undefined && !present.includes(given)) throw apiErrors.StaleVersion({ current: current() })
}
