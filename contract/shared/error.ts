/**
 * Every error code of our server. Each module adds the keys of its table in its `texts.ts`. A code
 * without a table does not compile.
 */
export interface ErrorCodes extends Record<keyof typeof generalTable, true> {}
export type ErrorCode = keyof ErrorCodes
/** Codes that the client creates when it got no readable response. */
export type ClientErrorCode = 'Offline' | 'UnreadableAnswer'

/** An error a person can cause: a name, an HTTP status and a sentence to display. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode | ClientErrorCode
  readonly status: number
  readonly fields: FieldError[] | undefined
  /** The current row as encoded for a response, so that a stale screen can update immediately. */
  readonly current: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode | ClientErrorCode, status: number, message: string, more: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.status = status
    this.fields = more.fields
    this.current = more.current
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export const isApiError = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code

export type ApiErrorWith<Code extends ErrorCode | ClientErrorCode> = ApiError & { readonly code: Code }

export type FieldError = { path: string; message: string }
type ErrorDetails = { fields?: FieldError[]; current?: unknown; retryAfterSeconds?: number }
export type ErrorTable = Record<string, readonly [status: number, sentence: string]>
type ErrorFactories<Code extends ErrorCode> = {
  readonly [C in Code]: (more?: ErrorDetails & { message?: string }) => ApiErrorWith<C>
}

/** Turns a table `code: [status, sentence]` into functions that create the errors. */
export function errorFactories<const Code extends ErrorCode>(
  table: Record<Code, ErrorTable[string]>,
): ErrorFactories<Code> {
  const codes = Object.keys(table) as Code[]
  const makers = codes.map((code) => {
    const [status, sentence] = table[code]
    const make = (more: ErrorDetails & { message?: string } = {}) =>
      new ApiError(code, status, more.message ?? sentence, more)
    return [code, make]
  })
  return Object.fromEntries(makers) as ErrorFactories<Code>
}

/**
 * Errors that belong to no module; `endpoint.ts` or the endpoint states where they occur
 * (R-everywhere-4).
 */
const generalTable = {
  ValidationError: [400, 'Please check the fields and try again.'],
  BadRequest: [400, 'The request could not be read.'],
  InvalidAccessToken: [401, 'Please sign in.'],
  InvalidToken: [401, 'This access token is wrong, has expired or was revoked.'],
  InvalidAdminAccessToken: [401, 'Please sign in as administrator.'],
  InvalidSignature: [401, 'The signature of this call is missing, wrong or more than five minutes old.'],
  EmailNotVerified: [403, 'Please verify your email address first.'],
  Forbidden: [403, 'You don’t have permission to do this.'],
  OperatorRequired: [403, 'Your role is view-only. Please ask an operator to do this.'],
  CodesRequired: [403, 'Please set up an authenticator app first.'],
  InsufficientScope: [403, 'This access token lacks a scope that this request needs.'],
  TokenNotAllowed: [403, 'No access token can do this. Please sign in on the site.'],
  CsrfRejected: [403, 'This request did not come from Keyturn.'],
  NotFound: [404, 'We could not find that.'],
  MethodNotAllowed: [405, 'This address does not accept that kind of request.'],
  RequestTimeout: [408, 'This took too long to arrive. Please check your connection and try again.'],
  StaleVersion: [409, 'This has changed since you opened it. Here is the current version.'],
  IdempotencyInFlight: [409, 'This is still in progress. Please wait a moment.'],
  PayloadTooLarge: [413, 'This is too large.'],
  UriTooLong: [414, 'This address is too long.'],
  UnsupportedMediaType: [415, 'Please send JSON.'],
  ExpectationFailed: [417, 'This request expects something we do not support.'],
  IdempotencyKeyReused: [422, 'This key was already used for something else.'],
  TooManyRequests: [429, 'Too many requests. Please wait a moment and try again.'],
  InternalError: [500, 'Something went wrong on our side. Please try again.'],
  Unavailable: [503, 'Keyturn is unavailable right now. Please try again in a moment.'],
} as const satisfies ErrorTable

export const apiErrors = errorFactories(generalTable)
