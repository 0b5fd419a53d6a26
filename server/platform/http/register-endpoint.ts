import {
  type CallerRole,
  type Endpoint,
  type EndpointInput,
  type EndpointOutput,
  isAdminCaller,
  type Scope,
} from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Db, Intent } from '../database/open-database.ts'
import type { RunRead } from '../database/standbys/route-reads.ts'
import {
  type Administrator,
  authorizationError,
  type Caller,
  type FindSessions,
  hasSignature,
  permittedCaller,
  type ScopedActor,
  type UserActor,
} from './authorization.ts'
import { parseSentBody, readUpload, type Upload } from './request-body.ts'
import { parseSignature } from './signed-requests.ts'

/**
 * The actor type follows from `callers`: a user, the administrator, or any caller. Only an endpoint
 * without a scope has a user with a session for certain.
 */
type ActorOf<C extends Endpoint> = 'anyone' extends C['callers'][number]
  ? Caller
  : C['callers'][number] extends 'administrator' | 'operator'
    ? Administrator
    : Extract<C['callers'][number], 'administrator' | 'operator' | 'partner'> extends never
      ? C extends { scope: Scope }
        ? ScopedActor
        : UserActor
      : Caller

export type EndpointRequest<C extends Endpoint> = EndpointInput<C> & {
  actor: ActorOf<C>
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** Only for endpoints with `uploads`. */
  upload: C['uploads'] extends readonly string[] ? Upload : undefined
  /** Only for endpoints with `allowsStandby`: a standby's database or the primary's. */
  db: C['allowsStandby'] extends true ? Db : undefined
  /** Set when the request has an `Idempotency-Key`; the handler passes it to the use case. */
  intent: Intent | undefined
}

export type IdempotentAction = {
  run: (intent?: Intent) => Promise<unknown>
  write: (result: unknown) => string
}

type Keyed = { caller: Caller; key: string }

/** An administrator's successful call of an endpoint. */
export type AdminCall = {
  call: Endpoint
  input: { params: unknown; query: unknown }
  result: unknown
}

export type AdminAuditLog = {
  /** Throws when the endpoint needs codes to be set up, or the password again. */
  admit: (call: Endpoint, administrator: Administrator) => void
  /** Stores a look before its response leaves. Throws if a change has stored no event itself. */
  finish: (caller: Caller, call: AdminCall) => Promise<void>
}

/** Dependencies of `registerEndpoint`, created once in `app.ts`. */
export type HttpContext = {
  app: FastifyInstance
  findSessions: FindSessions
  /** Counts the request against its limits. Throws `TooManyRequests`. */
  checkRateLimit: (call: Endpoint, caller: Caller, ip: string) => void
  /** Records what administrators do and look at (R-accounts-56). */
  adminAuditLog: AdminAuditLog
  runRead: RunRead
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
    user: call.callers.some((name) => !isAdminCaller(name) && name !== 'partner'),
    administrator: call.callers.some(isAdminCaller),
    scope: call.scope,
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
      const found = await http.findSessions(request, wantedSessions)
      const signed = isSignedRequest(request)
      const apiError = authorizationError(call.callers, found, signed)
      if (apiError) throw apiError
      const caller = permittedCaller(call.callers, found)
      const administrator = signed ? null : caller.administrator
      if (administrator) http.adminAuditLog.admit(call, administrator)
      const params = parse(call.params, request.params) as EndpointInput<C>['params']
      const signer = signing && signed ? await signing.verify(request, params) : null
      if (signing) request.body = parseSentBody(request)
      const input = {
        params,
        query: parse(call.query, request.query),
        body: parse(call.body, request.body ?? (call.body ? {} : undefined)),
      } as EndpointInput<C>
      const actor = actorOf(call.callers, caller) as ActorOf<C>
      const upload = (call.uploads ? readUpload(request) : undefined) as EndpointRequest<C>['upload']
      // Runs after validation and not for replays, so that neither invalid requests nor replays
      // count against the rate limit.
      const run = async (intent?: Intent) => {
        if (!signed) http.checkRateLimit(call, caller, request.ip)
        const asking = { ...input, actor, caller, request, reply, upload, intent, signer }
        const handle = (db?: Db) => handler({ ...asking, db: db as EndpointRequest<C>['db'] })
        const result = await (call.allowsStandby ? http.runRead(request, handle) : handle())
        if (administrator) await http.adminAuditLog.finish(caller, { call, input, result })
        return result
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

function actorOf(
  callers: readonly CallerRole[],
  caller: Caller,
): Caller | Administrator | ScopedActor | null {
  if (callers.includes('anyone') || callers.includes('partner')) return caller
  if (!callers.some(isAdminCaller)) return caller.user
  return callers.every(isAdminCaller) ? caller.administrator : caller
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
