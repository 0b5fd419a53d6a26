import type { Answer, Asked, Call, Who } from '@keyturn/contract/shared/endpoint.ts'
import { refuse } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Intent } from '../database/open.ts'
import {
  type Administrator,
  type Asker,
  type FindSessions,
  isSigned,
  refusalFor,
  type UserActor,
} from './authorization.ts'
import { readSentBody, type Upload, uploadOf } from './body.ts'
import { readSignature } from './signed-requests.ts'

/** `who` decides what a handler knows of the caller: a user, the administrator, or whoever is there. */
type ActorOf<W extends readonly Who[]> = 'anyone' extends W[number]
  ? Asker
  : W[number] extends 'administrator'
    ? Administrator
    : Extract<W[number], 'administrator' | 'partner'> extends never
      ? UserActor
      : Asker

export type Asking<C extends Call> = Asked<C> & {
  actor: ActorOf<C['who']>
  asker: Asker
  request: FastifyRequest
  reply: FastifyReply
  /** Of a call that takes a file. */
  upload: C['takes'] extends readonly string[] ? Upload : undefined
  /** Of a request with an `Idempotency-Key`: handed to the action with its `deps`. */
  intent: Intent | undefined
}

export type Act = {
  run: (intent?: Intent) => Promise<unknown>
  write: (result: unknown) => string
}

type Keyed = { asker: Asker; key: string }

/** What `answer` needs besides the call: made once in `app.ts`. */
export type Door = {
  app: FastifyInstance
  findSessions: FindSessions
  /** Counts the call towards its limits, or refuses `TooManyRequests`. */
  takeTurn: (call: Call, asker: Asker, ip: string) => void
  /** Runs a change at most once per `Idempotency-Key`; absent for calls that do not take one. */
  once: (by: Keyed, call: Call, request: FastifyRequest, reply: FastifyReply, act: Act) => Promise<string>
}

/**
 * Registers a call of the contract: looks up who asks, checks `who`, parses params, query and body with the call's
 * own schemas, runs the handler, and encodes what it returns with the call's answer schema. Nothing else builds JSON;
 * a document (`media`) goes out as it is.
 *
 * Of a call that takes an `Idempotency-Key` the handler returns what its transaction returned; where that is not yet the
 * answer, `present` makes it one: it is written before the transaction commits, and once more if it has to be run again.
 */
export function answer<C extends Call>(
  door: Door,
  call: C,
  handler: (asking: Asking<C>) => Promise<Answer<C>> | Answer<C>,
): void
export function answer<C extends Call, R>(
  door: Door,
  call: C,
  handler: (asking: Asking<C>) => Promise<R>,
  present: (result: R, reply: FastifyReply) => Answer<C>,
): void
export function answer<C extends Call>(
  door: Door,
  call: C,
  handler: (asking: Asking<C>) => unknown,
  present?: (result: never, reply: FastifyReply) => unknown,
): void {
  register(door, call, { handler: (asking) => handler(asking as Asking<C>), present })
}

/** How the signature of a call is checked, before its body is parsed. */
export type Signing<C extends Call, Signer> = {
  /** Refuses callers for whom this call does not exist, before their rate limit is taken. */
  admit?: (request: FastifyRequest) => void
  /** Finds who has signed the bytes of the body, or refuses `InvalidSignature`. */
  verify: (request: FastifyRequest, params: Asked<C>['params']) => Promise<Signer>
}

/**
 * Registers a call that may be signed. Nothing of such a request is parsed before its rate limit, size, headers and
 * signature were checked, in this order. `signer` is null for an administrator, who has a session instead.
 */
export function answerSigned<C extends Call, Signer>(
  door: Door,
  call: C,
  signing: Signing<C, Signer>,
  handler: (asking: Asking<C> & { signer: SignerOf<C, Signer> }) => Promise<Answer<C>> | Answer<C>,
): void {
  register(door, call, { handler: (asking) => handler(asking as Parameters<typeof handler>[0]), signing })
}

type SignerOf<C extends Call, Signer> = C['who'] extends readonly ['partner'] ? Signer : Signer | null

type Route<C extends Call, Signer> = {
  handler: (asking: Asking<C> & { signer: Signer | null }) => unknown
  present?: ((result: never, reply: FastifyReply) => unknown) | undefined
  signing?: Signing<C, Signer>
}

function register<C extends Call, Signer>(
  door: Door,
  call: C,
  { handler, present = (result) => result, signing }: Route<C, Signer>,
): void {
  const wanted = {
    user: call.who.some((name) => name !== 'administrator' && name !== 'partner'),
    administrator: call.who.includes('administrator'),
  }
  const mustBeSigned = call.who.every((name) => name === 'partner')
  const comesSigned = (request: FastifyRequest) =>
    signing !== undefined && (mustBeSigned || isSigned(request))
  const good = call.status ?? 200
  door.app.route({
    method: call.method,
    url: call.path,
    exposeHeadRoute: false,
    config: { call },
    ...(call.mostBytes !== undefined && { bodyLimit: call.mostBytes }),
    ...(signing && {
      onRequest: async (request: FastifyRequest) => {
        signing.admit?.(request)
        if (!comesSigned(request)) return
        door.takeTurn(call, stranger, request.ip)
        readSignature(request.headers)
      },
    }),
    handler: async (request, reply) => {
      const asker = await door.findSessions(request, wanted)
      const signed = comesSigned(request)
      const refusal = refusalFor(call.who, asker, signed)
      if (refusal) throw refusal
      const params = parse(call.params, request.params) as Asked<C>['params']
      const signer = signing && signed ? await signing.verify(request, params) : null
      if (signing) request.body = readSentBody(request)
      const asked = {
        params,
        query: parse(call.query, request.query),
        body: parse(call.body, request.body ?? (call.body ? {} : undefined)),
      } as Asked<C>
      const actor = actorOf(call.who, asker) as ActorOf<C['who']>
      const upload = (call.takes ? uploadOf(request) : undefined) as Asking<C>['upload']
      // After parsing and outside of replays: neither a mistyped form nor a repeated request uses up a turn.
      const run = async (intent?: Intent) => {
        if (!signed) door.takeTurn(call, asker, request.ip)
        return handler({ ...asked, actor, asker, request, reply, upload, intent, signer })
      }
      if (call.media) {
        const document = await run()
        return reply.code(good).type(call.media).send(document)
      }
      const write = (result: unknown) => JSON.stringify(encode(call.answer, present(result as never, reply)))
      reply.code(good).type('application/json; charset=utf-8')
      const key = call.once ? keyOf(request) : null
      // What is signed has an id of its own, and nobody's answer is handed to one who has not been believed yet.
      return key !== null && !signed
        ? door.once({ asker, key }, call, request, reply, { run, write })
        : write(await run())
    },
  })
}

const stranger: Asker = { user: null, administrator: null }

function actorOf(who: readonly Who[], asker: Asker): Asker | Administrator | UserActor | null {
  if (who.includes('anyone') || who.includes('partner')) return asker
  if (!who.includes('administrator')) return asker.user
  return who.length === 1 ? asker.administrator : asker
}

/** One entry per field, the first fault of each, in the order of the form (R-everywhere-4). */
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
  throw refuse.ValidationError({ fields: faults, message: faults[0]?.message ?? '' })
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  return key === undefined ? null : String(key)
}

const encode = (schema: z.ZodType, value: unknown): unknown => schema.encode(value as never)
