import type {
  CallerRole,
  Endpoint,
  EndpointInput,
  EndpointOutput,
} from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Intent } from '../database/open-database.ts'
import {
  type Administrator,
  authorizationError,
  type Caller,
  type FindSessions,
  hasSignature,
  type UserActor,
} from './authorization.ts'
import { parseSentBody, readUpload, type Upload } from './request-body.ts'
import { parseSignature } from './signed-requests.ts'

/** The actor type follows from `callers`: a user, the administrator, or any caller. */
type ActorOf<W extends readonly CallerRole[]> = 'anyone' extends W[number]
  ? Caller
  : W[number] extends 'administrator'
    ? Administrator
    : Extract<W[number], 'administrator' | 'partner'> extends never
      ? UserActor
      : Caller

export type EndpointRequest<C extends Endpoint> = EndpointInput<C> & {
  actor: ActorOf<C['callers']>
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** Only for endpoints with `uploads`. */
  upload: C['uploads'] extends readonly string[] ? Upload : undefined
  /** Set when the request has an `Idempotency-Key`; the handler passes it to the use case. */
  intent: Intent | undefined
}

export type IdempotentAction = {
  run: (intent?: Intent) => Promise<unknown>
  write: (result: unknown) => string
}

type Keyed = { caller: Caller; key: string }

/** Dependencies of `registerEndpoint`, created once in `app.ts`. */
export type HttpContext = {
  app: FastifyInstance
  findSessions: FindSessions
  /** Counts the request against its limits. Throws `TooManyRequests`. */
  checkRateLimit: (call: Endpoint, caller: Caller, ip: string) => void
  /** Runs a change at most once per `Idempotency-Key`. */
  runOnce: (
    by: Keyed,
    call: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    act: IdempotentAction,
  ) => Promise<string>
}

/**
 * Registers an endpoint: authorizes the caller, validates the input, runs the handler and encodes
 * its result with the response schema. A document (`media`) is sent unchanged. An idempotent
 * handler returns the result of its transaction, and `present` converts it to the response.
 * `present` runs before the transaction commits, and again if the transaction is retried.
 */
export function registerEndpoint<C extends Endpoint>(
  http: HttpContext,
  call: C,
  handler: (asking: EndpointRequest<C>) => Promise<EndpointOutput<C>> | EndpointOutput<C>,
): void
export function registerEndpoint<C extends Endpoint, R>(
  http: HttpContext,
  call: C,
  handler: (asking: EndpointRequest<C>) => Promise<R>,
  present: (result: R, reply: FastifyReply) => EndpointOutput<C>,
): void
export function registerEndpoint<C extends Endpoint>(
  http: HttpContext,
  call: C,
  handler: (asking: EndpointRequest<C>) => unknown,
  present?: (result: never, reply: FastifyReply) => unknown,
): void {
  register(http, call, { handler: (asking) => handler(asking as EndpointRequest<C>), present })
}

/** Checks that run before the body is parsed. */
export type SignatureVerification<C extends Endpoint, Signer> = {
  /** Rejects callers for whom the endpoint does not exist, before the request is counted. */
  admit?: (request: FastifyRequest) => void
  /** Returns the signer of the raw body. Throws `InvalidSignature`. */
  verify: (request: FastifyRequest, params: EndpointInput<C>['params']) => Promise<Signer>
}

/**
 * Registers an endpoint that accepts signed requests. Checks rate limit, headers, size and
 * signature, in this order, before parsing. `signer` is null for an administrator, who has a
 * session instead.
 */
export function registerSignedEndpoint<C extends Endpoint, Signer>(
  http: HttpContext,
  call: C,
  signing: SignatureVerification<C, Signer>,
  handler: (
    asking: EndpointRequest<C> & { signer: SignerOf<C, Signer> },
  ) => Promise<EndpointOutput<C>> | EndpointOutput<C>,
): void {
  register(http, call, { handler: (asking) => handler(asking as Parameters<typeof handler>[0]), signing })
}

type SignerOf<C extends Endpoint, Signer> = C['callers'] extends readonly ['partner'] ? Signer : Signer | null

type Route<C extends Endpoint, Signer> = {
  handler: (asking: EndpointRequest<C> & { signer: Signer | null }) => unknown
  present?: ((result: never, reply: FastifyReply) => unknown) | undefined
  signing?: SignatureVerification<C, Signer>
}

function register<C extends Endpoint, Signer>(
  http: HttpContext,
  call: C,
  { handler, present = (result) => result, signing }: Route<C, Signer>,
): void {
  const wantedSessions = {
    user: call.callers.some((name) => name !== 'administrator' && name !== 'partner'),
    administrator: call.callers.includes('administrator'),
  }
  const mustBeSigned = call.callers.every((name) => name === 'partner')
  const isSignedRequest = (request: FastifyRequest) =>
    signing !== undefined && (mustBeSigned || hasSignature(request))
  const successStatus = call.status ?? 200
  http.app.route({
    method: call.method,
    url: call.path,
    exposeHeadRoute: false,
    config: { call },
    ...(call.maxBytes !== undefined && { bodyLimit: call.maxBytes }),
    ...(signing && {
      onRequest: async (request: FastifyRequest) => {
        signing.admit?.(request)
        if (!isSignedRequest(request)) return
        http.checkRateLimit(call, anonymous, request.ip)
        parseSignature(request.headers)
      },
    }),
    handler: async (request, reply) => {
      const caller = await http.findSessions(request, wantedSessions)
      const signed = isSignedRequest(request)
      const apiError = authorizationError(call.callers, caller, signed)
      if (apiError) throw apiError
      const params = parse(call.params, request.params) as EndpointInput<C>['params']
      const signer = signing && signed ? await signing.verify(request, params) : null
      if (signing) request.body = parseSentBody(request)
      const input = {
        params,
        query: parse(call.query, request.query),
        body: parse(call.body, request.body ?? (call.body ? {} : undefined)),
      } as EndpointInput<C>
      const actor = actorOf(call.callers, caller) as ActorOf<C['callers']>
      const upload = (call.uploads ? readUpload(request) : undefined) as EndpointRequest<C>['upload']
      // Runs after validation and not for replays, so that neither invalid requests nor replays
      // count against the rate limit.
      const run = async (intent?: Intent) => {
        if (!signed) http.checkRateLimit(call, caller, request.ip)
        return handler({ ...input, actor, caller: caller, request, reply, upload, intent, signer })
      }
      if (call.media) {
        const document = await run()
        return reply.code(successStatus).type(call.media).send(document)
      }
      const write = (result: unknown) =>
        JSON.stringify(encode(call.response, present(result as never, reply)))
      reply.code(successStatus).type('application/json; charset=utf-8')
      const key = call.isIdempotent ? keyOf(request) : null
      // Signed requests have their own message id, and a replay must not precede their
      // verification.
      return key !== null && !signed
        ? http.runOnce({ caller, key }, call, request, reply, { run, write })
        : write(await run())
    },
  })
}

const anonymous: Caller = { user: null, administrator: null }

function actorOf(callers: readonly CallerRole[], caller: Caller): Caller | Administrator | UserActor | null {
  if (callers.includes('anyone') || callers.includes('partner')) return caller
  if (!callers.includes('administrator')) return caller.user
  return callers.length === 1 ? caller.administrator : caller
}

/**
 * Throws `ValidationError` with the first error of each field, in schema order (R-everywhere-4).
 */
function parse(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const fields = new Map<string, string>()
  for (const issue of parsed.error.issues) {
    const path = issue.path.join('.')
    if (!fields.has(path)) fields.set(path, issue.message)
  }
  const faults = [...fields].map(([path, message]) => ({ path, message }))
  throw apiErrors.ValidationError({ fields: faults, message: faults[0]?.message ?? '' })
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  return key === undefined ? null : String(key)
}

const encode = (schema: z.ZodType, value: unknown): unknown => schema.encode(value as never)
