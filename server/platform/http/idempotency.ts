import { createHash } from 'node:crypto'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { computeSessionMac, isSessionMac } from '../../shared/session-mac.ts'
import { type Db, type Intent, isIdempotencyKeyInUse, violatedConstraint } from '../database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../database/prepare-query.ts'
import type { Caller } from './authorization.ts'
import { errorBody } from './error-handlers.ts'
import type { HttpContext, IdempotentAction } from './register-endpoint.ts'
import { storedResponses } from './tables.ts'

/**
 * Stores the first response to a caller's `Idempotency-Key` for at least 72 hours
 * (`RESPONSE_RETENTION_DAYS`) and replays it unchanged. Reusing the key for another endpoint or body
 * is an error. The response is stored in the transaction that makes the change; an error changed
 * nothing and is stored afterwards. Retryable responses (429, 5xx) are not stored.
 */
export function createIdempotency({
  db,
  pool,
  config,
}: Pick<Deps, 'db' | 'pool' | 'config'>): HttpContext['runOnce'] {
  return async ({ caller, key }, call, request, reply, act) => {
    const claim = claimOf(ownerOf(caller, request), key, call, request, config)
    // Checked first, so that a replay neither counts against a rate limit nor hashes a password.
    const stored = await findStored(db, claim)
    if (stored) return replay(stored, claim, reply, config)
    const intent = intentOf(claim, act, reply)
    try {
      const result = await act.run(intent)
      return intent.isStored ? intent.answer : act.write(result)
    } catch (error) {
      if (intent.isStored || !(error === storedConcurrently || isFinal(error))) throw error
      if (error !== storedConcurrently && (await storeError(pool, claim, error))) throw error
      const first = await findStored(db, claim)
      if (!first) throw apiErrors.IdempotencyInFlight()
      return replay(first, claim, reply, config)
    }
  }
}

/** `lock` is the id of the advisory lock held while the key is in use, across processes. */
type Claim = { owner: string; key: string; route: string; body: string; bodyHash: Buffer; lock: string }

const ownerOf = ({ user, administrator }: Caller, { ip }: FastifyRequest): string =>
  user?.id ?? administrator?.username ?? `ip ${ip}`

function claimOf(owner: string, key: string, call: Endpoint, request: FastifyRequest, config: Config): Claim {
  if (key.length > 255) throw apiErrors.BadRequest()
  // An HMAC, because a body may contain a password and a plain hash could be brute-forced.
  const body = JSON.stringify(request.body ?? null)
  const bodyHash = computeSessionMac(config, body)
  const lock = createHash('sha256').update(`${owner}\n${key}`).digest().readBigInt64BE().toString()
  return { owner, key, route: `${call.method} ${request.url}`, body, bodyHash, lock }
}

type RunningIntent = Intent & { answer: string }

/** Another request stored its response after `findStored`; this transaction is rolled back. */
const storedConcurrently = Symbol('kept meanwhile')

function intentOf(claim: Claim, { write }: IdempotentAction, reply: FastifyReply): RunningIntent {
  const intent: RunningIntent = {
    isStored: false,
    answer: '',
    // The lock is released with the transaction, even if the process dies.
    claim: () => {
      if (intent.isStored) throw new Error('a second transaction with the same intent')
      return { name: 'take-key', text: 'select take_key($1)', values: [claim.lock] }
    },
    store: (result) => {
      // An error is returned, not thrown, when its transaction has to commit.
      const apiError = result instanceof ApiError ? result : null
      intent.answer = apiError ? errorBody(apiError) : write(result)
      return insertResponse(claim, apiError?.status ?? reply.statusCode, intent.answer)
    },
    mapError: (error) => {
      if (isIdempotencyKeyInUse(error)) return apiErrors.IdempotencyInFlight()
      return violatedConstraint(error) === 'idempotency_keys_pkey' ? storedConcurrently : error
    },
  }
  return intent
}

const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status < 500 &&
  error.status !== 429 &&
  error.code !== 'IdempotencyInFlight'

/** Returns false if the key is in use or already has a response. */
async function storeError(pool: pg.Pool, claim: Claim, apiError: ApiError): Promise<boolean> {
  const { text, values } = insertResponse(claim, apiError.status, errorBody(apiError))
  const { rowCount } = await pool.query({
    name: 'keep-refusal',
    text: `${text} where pg_try_advisory_xact_lock($7) on conflict do nothing`,
    values: [...values, claim.lock],
  })
  return rowCount === 1
}

/** Uses `select` instead of `values` so that a `where` clause can be appended. */
const insertResponse = ({ owner, key, route, bodyHash }: Claim, status: number, answer: string) => ({
  name: 'keep-answer',
  text: `insert into idempotency_keys (owner, key, route, body_hash, status, answer) select $1, $2, $3, $4, $5, $6`,
  values: [owner, key, route, bodyHash, status, answer],
})

async function findStored(db: Db, claim: Claim): Promise<StoredResponse | undefined> {
  const [stored] = await selectStored(db, claim)
  return stored
}

type StoredResponse = RowOf<typeof selectStored>
const selectStored = prepareQuery(
  'select-stored-response',
  (db, p: Placeholders<Pick<Claim, 'owner' | 'key'>>) => {
    const { owner, key, route, bodyHash, status, answer } = storedResponses
    return db
      .select({ route, bodyHash, status, answer })
      .from(storedResponses)
      .where(and(eq(owner, p.owner), eq(key, p.key)))
  },
)

function replay(stored: StoredResponse, { route, body }: Claim, reply: FastifyReply, config: Config): string {
  if (stored.route !== route || !isSessionMac(config, body, stored.bodyHash))
    throw apiErrors.IdempotencyKeyReused()
  reply.code(stored.status).header('idempotent-replayed', 'true')
  return stored.answer
}

/** Deletes a user's responses, including that of `registration`, which is stored by IP address. */
export async function deleteStoredResponses(tx: Db, userId: string, registration: Endpoint): Promise<void> {
  const path = `${registration.method} ${registration.path}`
  await tx.execute(sql`delete from idempotency_keys
    where owner = ${userId} or starts_with(route, ${path}) and answer::json ->> '_id' = ${userId}`)
}
