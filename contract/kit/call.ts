import type { z } from 'zod'

/**
 * Who may make a call. `anyone` needs no session; `signedIn` may still be unverified; `verified` has a verified
 * address; `trader` is a verified BUYER or SELLER; `wholesaler` is an approved one. A list means: any of these.
 */
export type Who = 'anyone' | 'signedIn' | 'verified' | 'trader' | 'wholesaler' | 'administrator'
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Shapes = {
  who: readonly [Who, ...Who[]]
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  answer: z.ZodType
  /** The status of a good answer; a handler may choose another good one. */
  status?: 200 | 201
  /** Codes of this call's own refusals, beside the general ones. */
  refuses?: readonly string[]
  /** Takes an `Idempotency-Key`: sent twice, it happens once. */
  once?: true
  summary?: string
  /** What the answer is when it is not JSON: a document, a stream. */
  media?: string
}

export type Call<S extends Shapes = Shapes> = S & { method: Method; path: string; name: string }

/** What both sides agreed on about one call; `'PATCH /trades/:tradeId'` names its method and path. */
export function call<const S extends Shapes>(name: `${Method} /${string}`, shapes: S): Call<S> {
  const [method, path] = name.split(' ') as [Method, string]
  return { ...shapes, name, method, path }
}

type In<T> = T extends z.ZodType ? z.output<T> : undefined
/** What a handler receives and a screen gives: decoded values (cents, not dollars). */
export type Asked<C extends Call> = {
  params: In<C['params']>
  query: In<C['query']>
  body: In<C['body']>
}
export type Answer<C extends Call> = z.output<C['answer']>
