import type { z } from 'zod'
import './field-sentences.ts'
import type { ApiErrorWith, ClientErrorCode, ErrorCode } from './error.ts'

/**
 * The callers of an endpoint. `anyone` needs no session; `signedIn` may still be unverified;
 * `verified` has a verified address; `trader` is a verified BUYER or SELLER; `wholesaler` is an
 * approved one; `partner` is a dealer's system, which signs its requests. A list allows any of its
 * callers.
 */
export type CallerRole =
  | 'anyone'
  | 'signedIn'
  | 'verified'
  | 'trader'
  | 'wholesaler'
  | 'administrator'
  | 'partner'
export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Shapes = {
  callers: readonly [CallerRole, ...CallerRole[]]
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
  /** Error codes in addition to the shared ones below. Any other code fails the tests. */
  errors?: readonly ErrorCode[]
  /** Accepts an `Idempotency-Key`: a repeated request is executed once. */
  isIdempotent?: true
  summary?: string
  /** Media type of a response that is not JSON, such as a document or a stream. */
  media?: string
}

export type Endpoint<S extends Shapes = Shapes> = S & { method: HttpMethod; path: string; name: string }

/** Defines one endpoint; `'PATCH /trades/:tradeId'` gives its method and path. */
export function defineEndpoint<const S extends Shapes>(
  name: `${HttpMethod} /${string}`,
  shapes: S,
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
  who: {
    anyone: [],
    signedIn: ['InvalidAccessToken'],
    verified: ['InvalidAccessToken', 'EmailNotVerified'],
    trader: ['InvalidAccessToken', 'EmailNotVerified', 'Forbidden'],
    wholesaler: ['InvalidAccessToken', 'EmailNotVerified', 'Forbidden'],
    administrator: ['InvalidAdminAccessToken'],
    partner: ['InvalidSignature'],
  },
} as const satisfies Record<string, readonly ErrorCode[] | Record<CallerRole, readonly ErrorCode[]>>

/**
 * If users may call the endpoint, the error asks for a user's sign-in, although an administrator is
 * allowed too.
 */
const signInCallers = (who: readonly CallerRole[]): readonly CallerRole[] =>
  who.every(isNonUser) ? who : who.filter((name) => !isNonUser(name))
const isNonUser = (name: CallerRole): boolean => name === 'administrator' || name === 'partner'

/** Returns every code that this endpoint may respond with, without duplicates. */
export function errorCodesOf(call: Endpoint): ErrorCode[] {
  const { any, asks, changes, once, who } = sharedErrorCodes
  return [
    ...new Set([
      ...(call.errors ?? []),
      ...signInCallers(call.callers).flatMap((name): readonly ErrorCode[] => who[name]),
      ...(call.params || call.query || call.body ? asks : []),
      ...(call.method === 'GET' ? [] : changes),
      ...(call.isIdempotent ? once : []),
      ...any,
    ]),
  ]
}

type NonUser = 'administrator' | 'partner'
type SignInCallers<W extends CallerRole> = [Exclude<W, NonUser>] extends [never] ? W : Exclude<W, NonUser>
type General = typeof sharedErrorCodes
/**
 * The result of `errorCodesOf` as a type, which always includes the codes that depend on an
 * endpoint's shape.
 */
export type ErrorCodeOf<C extends Endpoint> =
  | (C['errors'] extends readonly ErrorCode[] ? C['errors'][number] : never)
  | General['who'][SignInCallers<C['callers'][number]>][number]
  | General['asks' | 'changes' | 'once' | 'any'][number]

/** All errors of an endpoint: its own codes, and the client's code when there was no response. */
export type ErrorOf<C extends Endpoint> = ApiErrorWith<ErrorCodeOf<C> | ClientErrorCode>
