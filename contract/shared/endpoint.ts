import type { z } from 'zod'
import type { AdminAct } from '../accounts/admin-acts.ts'
import './field-sentences.ts'
import type { ApiErrorWith, ClientErrorCode, ErrorCode } from './error.ts'

/**
 * The callers of an endpoint. `anyone` needs no session; `signedIn` may still be unverified;
 * `verified` has a verified address; `trader` is a verified BUYER or SELLER; `wholesaler` is an
 * approved one; `administrator` is every administrator, `operator` one who may act; `partner` is a
 * dealer's system, which signs its requests. A list allows any of its callers.
 */
export type CallerRole =
  | 'anyone'
  | 'signedIn'
  | 'verified'
  | 'trader'
  | 'wholesaler'
  | 'administrator'
  | 'operator'
  | 'partner'

/**
 * What a personal access token may do, `area:read` or `area:write`. A token reaches only endpoints
 * that name one of its scopes (R-accounts-70, decision 86).
 */
export const scopes = [
  'profile:read',
  'cars:read',
  'cars:write',
  'deals:read',
  'messages:read',
  'messages:write',
] as const
export type Scope = (typeof scopes)[number]

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Shapes = {
  callers: readonly [CallerRole, ...CallerRole[]]
  /** The scope of a token that may call it; without one, no token may. */
  scope?: Scope
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The body is a file of one of these media types instead of JSON. */
  uploads?: readonly string[]
  /** Maximum body size in bytes, if larger than that of a form. */
  maxBytes?: number
  response: z.ZodType
  /** The default status of a success; a handler may choose another. */
  status?: 200 | 201
  /** Of an endpoint that creates: what 200 in place of 201 means. */
  existingDescription?: string
  /**
   * For a GET: the act that is recorded (R-accounts-56). A change records its own event, and the
   * value only declares that it must. Null: nothing is recorded, because no data of people is shown.
   * Required where administrators may call.
   */
  adminAct?: AdminAct | null
  /** An administrator must have entered the password within the last minutes (R-accounts-58). */
  needsConfirmation?: true
  /** Open to an administrator who has to set up one-time codes first (R-accounts-55). */
  isOpenBeforeEnrollment?: true
  /** Error codes in addition to the shared ones below. Any other code fails the tests. */
  errors?: readonly ErrorCode[]
  /** Accepts an `Idempotency-Key`: a repeated request is executed once. */
  isIdempotent?: true
  /**
   * The response may be a second old, so a standby of the database may answer (R-everywhere-76).
   * For lists and public pages; what it writes has to be written to the primary.
   */
  allowsStandby?: true
  /** Media type of a response that is not JSON, such as a document or a stream. */
  media?: string
}

export type Endpoint<S extends Shapes = Shapes> = S & { method: HttpMethod; path: string; name: string }

type AdminCaller = 'administrator' | 'operator'
type Recorded<S extends Shapes> =
  Extract<S['callers'][number], AdminCaller> extends never ? unknown : { adminAct: AdminAct | null }

/** Defines one endpoint; `'PATCH /trades/:tradeId'` gives its method and path. */
export function defineEndpoint<const S extends Shapes>(
  name: `${HttpMethod} /${string}`,
  shapes: S & Recorded<S>,
): Endpoint<S> {
  const [method, path] = name.split(' ') as [HttpMethod, string]
  return { ...shapes, name, method, path }
}

type In<T> = T extends z.ZodType ? z.output<T> : undefined
/** Input of a handler and of a client call: decoded values (cents, not dollars). */
export type EndpointInput<C extends Endpoint> = {
  params: In<C['params']>
  query: In<C['query']>
  body: In<C['body']>
}
export type EndpointOutput<C extends Endpoint> = z.output<C['response']>

/** Codes an endpoint may return undeclared, because of its shape (R-everywhere-4). */
const sharedErrorCodes = {
  any: ['BadRequest', 'UriTooLong', 'ExpectationFailed', 'TooManyRequests', 'InternalError', 'Unavailable'],
  /** Endpoints with params, a query or a body. */
  asks: ['ValidationError'],
  /** Any method but GET. */
  changes: ['CsrfRejected', 'RequestTimeout', 'PayloadTooLarge', 'UnsupportedMediaType'],
  once: ['IdempotencyInFlight', 'IdempotencyKeyReused'],
  /** Endpoints that administrators may call, as well as others. */
  administrators: ['CodesRequired'],
  operators: ['OperatorRequired'],
  confirmed: ['ReauthenticationRequired'],
  /** To calls with a personal access token. */
  token: { scoped: ['InvalidToken', 'InsufficientScope'], unscoped: ['TokenNotAllowed'] },
  who: {
    anyone: [],
    signedIn: ['InvalidAccessToken'],
    verified: ['InvalidAccessToken', 'EmailNotVerified'],
    trader: ['InvalidAccessToken', 'EmailNotVerified', 'Forbidden'],
    wholesaler: ['InvalidAccessToken', 'EmailNotVerified', 'Forbidden'],
    administrator: ['InvalidAdminAccessToken'],
    operator: ['InvalidAdminAccessToken'],
    partner: ['InvalidSignature'],
  },
} as const satisfies Record<string, readonly ErrorCode[] | Record<string, readonly ErrorCode[]>>

/**
 * If users may call the endpoint, the error asks for a user's sign-in, although an administrator is
 * allowed too.
 */
const signInCallers = (who: readonly CallerRole[]): readonly CallerRole[] =>
  who.every(isNonUser) ? who : who.filter((name) => !isNonUser(name))
export const isAdminCaller = (name: CallerRole): name is AdminCaller =>
  name === 'administrator' || name === 'operator'
const isNonUser = (name: CallerRole): boolean => isAdminCaller(name) || name === 'partner'

/** Whether only calls with a personal access token get this error. */
export const isTokenError = (code: ErrorCode): boolean =>
  Object.values(sharedErrorCodes.token).some((codes: readonly ErrorCode[]) => codes.includes(code))

/** Returns every code that this endpoint may respond with, without duplicates. */
export function errorCodesOf(call: Endpoint): ErrorCode[] {
  const { any, asks, changes, once, token, administrators, operators, confirmed, who } = sharedErrorCodes
  return [
    ...new Set([
      ...(call.errors ?? []),
      ...signInCallers(call.callers).flatMap((name): readonly ErrorCode[] => who[name]),
      ...(call.params || call.query || call.body ? asks : []),
      ...(call.method === 'GET' ? [] : changes),
      ...(call.isIdempotent ? once : []),
      ...(call.callers.some(isAdminCaller) && !call.isOpenBeforeEnrollment ? administrators : []),
      ...(call.callers.includes('operator') ? operators : []),
      ...(call.needsConfirmation ? confirmed : []),
      ...(call.scope ? token.scoped : token.unscoped),
      ...any,
    ]),
  ]
}

type NonUser = AdminCaller | 'partner'
type SignInCallers<W extends CallerRole> = [Exclude<W, NonUser>] extends [never] ? W : Exclude<W, NonUser>
type General = typeof sharedErrorCodes
/**
 * The result of `errorCodesOf` as a type, which always includes the codes that depend on an
 * endpoint's shape. It has no codes for tokens, which no page sends.
 */
export type ErrorCodeOf<C extends Endpoint> =
  | (C['errors'] extends readonly ErrorCode[] ? C['errors'][number] : never)
  | General['who'][SignInCallers<C['callers'][number]>][number]
  | (C['needsConfirmation'] extends true ? General['confirmed'][number] : never)
  | General['asks' | 'changes' | 'once' | 'administrators' | 'operators' | 'any'][number]

/** All errors of an endpoint: its own codes, and the client's code when there was no response. */
export type ErrorOf<C extends Endpoint> = ApiErrorWith<ErrorCodeOf<C> | ClientErrorCode>
