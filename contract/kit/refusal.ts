/** A fault a person can cause: it has a name, an HTTP status and a sentence fit to be shown. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  readonly status: number
  readonly fields: FieldFault[] | undefined
  /** The row as it is now, on the wire's terms: lets a stale screen catch up without asking again. */
  readonly current: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, status: number, message: string, more: RefusalMore = {}) {
    super(message)
    this.code = code
    this.status = status
    this.fields = more.fields
    this.current = more.current
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export type FieldFault = { path: string; message: string }
type RefusalMore = { fields?: FieldFault[]; current?: unknown; retryAfterSeconds?: number }
export type RefusalTable = Record<string, readonly [status: number, sentence: string]>

/** Turns a room's table `code: [status, sentence]` into functions that make the refusals. */
export function refusals<const T extends RefusalTable>(table: T) {
  const makers = {} as { [Code in keyof T]: (more?: RefusalMore & { message?: string }) => Refusal }
  for (const code of Object.keys(table) as (keyof T & string)[]) {
    const [status, sentence] = table[code] as T[typeof code]
    makers[code] = (more = {}) => new Refusal(code, status, more.message ?? sentence, more)
  }
  return makers
}

/** What any call may answer, whatever the room (R-everywhere-4). */
export const generalRefusals = {
  ValidationError: [400, 'Please check the fields and try again.'],
  BadRequest: [400, 'The request could not be read.'],
  InvalidAccessToken: [401, 'Please sign in.'],
  InvalidAdminAccessToken: [401, 'Please sign in as administrator.'],
  EmailNotVerified: [403, 'Please verify your email address first.'],
  Forbidden: [403, 'You may not do this.'],
  CsrfRejected: [403, 'This request did not come from Keyturn.'],
  NotFound: [404, 'We could not find that.'],
  MethodNotAllowed: [405, 'This address does not take that kind of request.'],
  StaleVersion: [409, 'This has changed since you opened it. Here is how it stands now.'],
  IdempotencyInFlight: [409, 'This is still being worked on. Please wait a moment.'],
  PayloadTooLarge: [413, 'That is too much at once.'],
  UriTooLong: [414, 'This address is too long.'],
  UnsupportedMediaType: [415, 'Please send JSON.'],
  ExpectationFailed: [417, 'This request expects something that we do not do.'],
  IdempotencyKeyReused: [422, 'This key was already used for something else.'],
  TooManyRequests: [429, 'That was a lot at once. Please wait a moment and try again.'],
  Unavailable: [503, 'Keyturn is out of reach for a moment. Please try again.'],
} as const satisfies RefusalTable

export const refuse = refusals(generalRefusals)
