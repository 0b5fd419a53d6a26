import { createHmac } from 'node:crypto'
import { Refusal, refuse } from '@keyturn/contract/kit/refusal.ts'
import type { FastifyReply } from 'fastify'
import type pg from 'pg'
import type { Door } from './answer.ts'
import { refusalBody } from './errors.ts'

type Kept = { route: string; body_hash: Buffer; status: number | null; answer: string | null }

/** Long enough for any call to finish; a key that is still without an answer then belonged to a process that died. */
const inFlightSeconds = 60

/**
 * One user intent has one effect: the first answer to an `Idempotency-Key` is kept for 72 hours per user and route
 * and replayed byte by byte. Answers that say "try again" (429, 5xx) are not kept.
 */
export function onceIn(pool: pg.Pool, secret: string): Door['once'] {
  return async (owner, call, request, reply, run) => {
    const key = String(request.headers['idempotency-key'])
    if (key.length > 255) throw refuse.BadRequest()
    const route = `${call.method} ${request.url}`
    // Keyed, because a body may hold a password, and a plain hash of one can be guessed quickly.
    const bodyHash = createHmac('sha256', secret)
      .update(JSON.stringify(request.body ?? null))
      .digest()
    const claim = await pool.query(claimKey, [owner, key, route, bodyHash])
    if (claim.rowCount === 0)
      return replay(await pool.query<Kept>(readKey, [owner, key]), route, bodyHash, reply)
    let answer: string
    try {
      answer = await run()
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 429)
        await pool.query(keepAnswer, [owner, key, error.status, refusalBody(error)])
      else await pool.query(dropKey, [owner, key])
      throw error
    }
    // The change is made: whatever happens to the key, that is the answer, and the key does not become free for another.
    const kept = [owner, key, reply.statusCode, answer]
    await pool
      .query(keepAnswer, kept)
      .catch(() => pool.query(keepAnswer, kept))
      .catch((fault) => request.log.error({ err: fault, reqId: request.id }, 'an answer was not kept'))
    return answer
  }
}

function replay(found: pg.QueryResult<Kept>, route: string, bodyHash: Buffer, reply: FastifyReply): string {
  const kept = found.rows[0]
  if (!kept) throw refuse.IdempotencyInFlight()
  if (kept.route !== route || !kept.body_hash.equals(bodyHash)) throw refuse.IdempotencyKeyReused()
  if (kept.status === null || kept.answer === null) throw refuse.IdempotencyInFlight()
  reply.code(kept.status).header('idempotent-replayed', 'true')
  return kept.answer
}

const claimKey = `insert into idempotency_keys (owner, key, route, body_hash) values ($1, $2, $3, $4)
  on conflict (owner, key) do update set created_at = keyturn_now()
  where idempotency_keys.status is null and idempotency_keys.route = $3 and idempotency_keys.body_hash = $4
    and idempotency_keys.created_at < keyturn_now() - interval '${inFlightSeconds} seconds'`
const readKey = 'select route, body_hash, status, answer from idempotency_keys where owner = $1 and key = $2'
const keepAnswer = 'update idempotency_keys set status = $3, answer = $4 where owner = $1 and key = $2'
const dropKey = 'delete from idempotency_keys where owner = $1 and key = $2'
