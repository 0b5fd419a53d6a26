import type { Endpoint, ErrorCodeOf } from '@keyturn/contract/shared/endpoint.ts'
import {
  ApiError,
  type ClientErrorCode,
  type ErrorCode,
  type FieldError,
} from '@keyturn/contract/shared/error.ts'

export const offlineError = () =>
  new ApiError('Offline', 0, 'Keyturn cannot be reached. Please check your connection and try again.')

/**
 * A response that does not match the contract, as during a deployment. Reloading the page helps.
 */
export const unreadableError = (status: number) =>
  new ApiError('UnreadableAnswer', status, 'Keyturn has been updated. Please reload this page.')

/** Whether a later attempt may succeed, because the server has not given a final answer. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || retryableStatuses.has(error.status) || error.status >= 500)

/** Statuses of requests that came too slowly or too often. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 429])

/** The error message that a person reads (R-everywhere-33). */
export type ErrorMessage = {
  sentence: string
  /** The reason in plain words; null when the person could have prevented the error. */
  cause: string | null
  /**
   * False when the same request would fail again: after a specific error, or on an outdated page.
   */
  mayTryAgain: boolean
}

/**
 * Returns the screen's sentence, with the cause below it when the person did not cause the error.
 * The message of a specific error (one that is not in `genericCodes`) replaces the sentence.
 */
export function errorMessageOf(fault: unknown, sentence: string): ErrorMessage {
  if (!(fault instanceof ApiError)) return { sentence, cause: null, mayTryAgain: true }
  const { code, message } = fault
  if (code === 'UnreadableAnswer') return { sentence, cause: message, mayTryAgain: false }
  if (isUnreachable(fault)) return { sentence, cause: message, mayTryAgain: true }
  if (genericCodes.has(code)) return { sentence, cause: null, mayTryAgain: true }
  return { sentence: message, cause: null, mayTryAgain: false }
}

/** Error codes whose messages say less than the screen's own sentence. */
const genericCodes: ReadonlySet<ApiError['code']> = new Set<ApiError['code']>([
  'BadRequest',
  'Forbidden',
  'InvalidAccessToken',
  'InvalidCredentials',
  'NotFound',
  'RegistrationFailed',
  'ValidationError',
])

/** Whether repeating the same request would return the same error. */
export const isFinal = ({ code, status }: ApiError): boolean =>
  status >= 400 && status < 500 && !retryableStatuses.has(status) && code !== 'IdempotencyInFlight'

/** Whether somebody else changed the row first, so that the screen is out of date. */
export const isConflict = ({ status }: ApiError): boolean => status === 409

/**
 * Whether a request failed with one of these codes. The endpoint is an argument so that the
 * compiler knows its possible codes.
 */
export const hasErrorCode = <C extends Endpoint>(
  fault: unknown,
  _call: C,
  ...codes: readonly (ErrorCodeOf<C> | ClientErrorCode)[]
): boolean => fault instanceof ApiError && codes.some((code) => code === fault.code)

/** The error for input that the server's schema would reject, with the server's messages. */
export function invalidBodyError(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): ApiError {
  const fields = issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
  return new ApiError('ValidationError', 400, fields[0]?.message ?? '', { fields })
}

/**
 * Parses the server's error. A response in any other form becomes an error with a generic message.
 */
export async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined
  if (!isRecord(body) || typeof body.errorCode !== 'string' || typeof body.message !== 'string') {
    return response.status >= 500
      ? new ApiError('Unavailable', response.status, unavailable, { retryAfterSeconds })
      : unreadableError(response.status)
  }
  const fields = fieldsOf(body.errors)
  // A newer server may send codes that this page does not know. Their messages are still shown.
  return new ApiError(body.errorCode as ErrorCode, response.status, body.message, {
    ...(fields && { fields }),
    current: body.current,
    ...(retryAfterSeconds && { retryAfterSeconds }),
  })
}

const unavailable = 'Keyturn is unavailable right now. Please try again in a moment.'

function fieldsOf(errors: unknown): FieldError[] | undefined {
  if (!Array.isArray(errors)) return undefined
  return errors.flatMap((fault: unknown) =>
    isRecord(fault) ? [{ path: String(fault.path), message: String(fault.message) }] : [],
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
