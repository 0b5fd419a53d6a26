import type { z } from 'zod'
import './field-sentences.ts'
import type { ApiErrorWith, ClientErrorCode, ErrorCode } from './error.ts'

/**
 * Who may make a call. `anyone` needs no session; `signedIn` may still be unverified; `verified` has a verified
 * address; `trader` is a verified BUYER or SELLER; `wholesaler` is an approved one; `partner` is a dealer's system, which signs
 * its calls. A list means: any of these.
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
  /** The body is a file of one of these media types, as it is, and not JSON. */
  uploads?: readonly string[]
  /** A longer body than that of a form, in bytes. */
  maxBytes?: number
  response: z.ZodType
  /** The default status of a success; a handler may choose another. */
  status?: 200 | 201
  /** The call's own refusal codes, in addition to the shared ones below. Answering with any other fails the tests. */
  errors?: readonly ErrorCode[]
  /** Takes an `Idempotency-Key`: sent twice, it is carried out once. */
  isIdempotent?: true
  summary?: string
  /** Media type of an answer that is not JSON, such as a document or a stream. */
  media?: string
}

export type Endpoint<S extends Shapes = Shapes> = S & { method: HttpMethod; path: string; name: string }

/** The contract of one call; `'PATCH /trades/:tradeId'` gives its method and path. */
export function defineEndpoint<const S extends Shapes>(
  name: `${HttpMethod} /${string}`,
  shapes: S,
): Endpoint<S> {
  const [method, path] = name.split(' ') as [HttpMethod, string]
  return { ...shapes, name, method, path }
}

type In<T> = T extends z.ZodType ? z.output<T> : undefined
/** What a handler receives and a screen passes: decoded values (cents, not dollars). */
export type EndpointInput<C extends Endpoint> = {
  params: In<C['params']>
  query: In<C['query']>
  body: In<C['body']>
}
export type EndpointOutput<C extends Endpoint> = z.output<C['response']>

/** Codes a call may answer with undeclared, because of its shape rather than what it does (R-everywhere-4). */
const everybodys = {
  any: ['BadRequest', 'UriTooLong', 'ExpectationFailed', 'TooManyRequests', 'InternalError', 'Unavailable'],
  /** Calls with params, a query or a body. */
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

/** If users may make the call, the refusal asks for a user's sign-in, although an administrator would be let in too. */
const askedToSignIn = (who: readonly CallerRole[]): readonly CallerRole[] =>
  who.every(isApart) ? who : who.filter((name) => !isApart(name))
/** No user. */
const isApart = (name: CallerRole): boolean => name === 'administrator' || name === 'partner'

/** Every code that this call may answer with, without duplicates. */
export function errorCodesOf(call: Endpoint): ErrorCode[] {
  const { any, asks, changes, once, who } = everybodys
  return [
    ...new Set([
      ...(call.errors ?? []),
      ...askedToSignIn(call.callers).flatMap((name): readonly ErrorCode[] => who[name]),
      ...(call.params || call.query || call.body ? asks : []),
      ...(call.method === 'GET' ? [] : changes),
      ...(call.isIdempotent ? once : []),
      ...any,
    ]),
  ]
}

type Apart = 'administrator' | 'partner'
type Asking<W extends CallerRole> = [Exclude<W, Apart>] extends [never] ? W : Exclude<W, Apart>
type General = typeof everybodys
/** The same as a type, except that codes depending on a call's shape are included for every call. */
export type ErrorCodeOf<C extends Endpoint> =
  | (C['errors'] extends readonly ErrorCode[] ? C['errors'][number] : never)
  | General['who'][Asking<C['callers'][number]>][number]
  | General['asks' | 'changes' | 'once' | 'any'][number]

/** How a call can fail: with one of its own codes, or with the page's code when no answer came. */
export type ErrorOf<C extends Endpoint> = ApiErrorWith<ErrorCodeOf<C> | ClientErrorCode>
