import type { Endpoint, ErrorCodeOf } from '@keyturn/contract/shared/endpoint.ts'
import {
  ApiError,
  type ClientErrorCode,
  type ErrorCode,
  type FieldError,
} from '@keyturn/contract/shared/error.ts'

export const offline = () =>
  new ApiError('Offline', 0, 'Keyturn cannot be reached. Please check your connection and try again.')

/** An answer that does not match the contract, as during an update; reloading the page helps. */
export const unreadable = (status: number) =>
  new ApiError('UnreadableAnswer', status, 'Keyturn has been updated. Please load this page again.')

/** Not a final refusal by the server, so trying again later may succeed. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || isForLater.has(error.status) || error.status >= 500)

/** Refused for now: the request came too slowly or too soon. */
const isForLater: ReadonlySet<number> = new Set([408, 429])

/** What a person is told of a failure (R-everywhere-33). */
export type ErrorMessage = {
  sentence: string
  /** Why, in plain words, where the person could do nothing about it. */
  cause: string | null
  /** The same thing again may work: not after a refusal with a name, nor on a page older than the server. */
  mayTryAgain: boolean
}

/**
 * The screen's own sentence, with the cause below it when the cause is not the person's. A refusal with a name says
 * more than the screen can, so its sentence replaces the screen's.
 */
export function errorMessageOf(fault: unknown, sentence: string): ErrorMessage {
  if (!(fault instanceof ApiError)) return { sentence, cause: null, mayTryAgain: true }
  const { code, message } = fault
  if (code === 'UnreadableAnswer') return { sentence, cause: message, mayTryAgain: false }
  if (isUnreachable(fault)) return { sentence, cause: message, mayTryAgain: true }
  if (saidByScreens.has(code)) return { sentence, cause: null, mayTryAgain: true }
  return { sentence: message, cause: null, mayTryAgain: false }
}

/** Refusals that say no more than that it failed; the screen knows what did. */
const saidByScreens: ReadonlySet<ApiError['code']> = new Set<ApiError['code']>([
  'BadRequest',
  'Forbidden',
  'InvalidAccessToken',
  'InvalidCredentials',
  'NotFound',
  'RegistrationFailed',
  'ValidationError',
])

/** The server has decided: the same request sent again would be refused again. */
export const isFinal = ({ code, status }: ApiError): boolean =>
  status >= 400 && status < 500 && !isForLater.has(status) && code !== 'IdempotencyInFlight'

/** Somebody else was faster, so that what is shown is no longer how it stands. */
export const isConflict = ({ status }: ApiError): boolean => status === 409

/** Whether a call was refused with one of these codes; the call is passed so that the compiler knows its possible codes. */
export const hasErrorCode = <C extends Endpoint>(
  fault: unknown,
  _call: C,
  ...codes: readonly (ErrorCodeOf<C> | ClientErrorCode)[]
): boolean => fault instanceof ApiError && codes.some((code) => code === fault.code)

/** Refuses what the call's schema would refuse on the server, with the same sentences. */
export function unfitBody(issues: readonly { path: readonly PropertyKey[]; message: string }[]): ApiError {
  const fields = issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
  return new ApiError('ValidationError', 400, fields[0]?.message ?? '', { fields })
}

/** The server's error in the contract's form; any other answer gets a sentence of our own. */
export async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined
  if (!isRecord(body) || typeof body.errorCode !== 'string' || typeof body.message !== 'string') {
    return response.status >= 500
      ? new ApiError('Unavailable', response.status, unavailable, { retryAfterSeconds })
      : unreadable(response.status)
  }
  const fields = fieldsOf(body.errors)
  // A newer server may know more codes than this page, which still shows their sentences.
  return new ApiError(body.errorCode as ErrorCode, response.status, body.message, {
    ...(fields && { fields }),
    current: body.current,
    ...(retryAfterSeconds && { retryAfterSeconds }),
  })
}

const unavailable = 'Keyturn is out of reach for a moment. Please try again.'

function fieldsOf(errors: unknown): FieldError[] | undefined {
  if (!Array.isArray(errors)) return undefined
  return errors.flatMap((fault: unknown) =>
    isRecord(fault) ? [{ path: String(fault.path), message: String(fault.message) }] : [],
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
