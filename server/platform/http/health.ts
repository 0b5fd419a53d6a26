import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { atMost } from '../../shared/at-most.ts'

/** More fields for the operator; each function is called on every request. */
export type HealthWords = Record<string, () => string>

/**
 * Live: this process answers. Ready: it is not about to end, and its database answers too (R-everywhere-50). Work in the background
 * that stalls is only reported: sending visitors elsewhere would not help, but a monitor has to see it.
 */
export function registerHealth(
  app: FastifyInstance,
  pool: pg.Pool,
  words: HealthWords = {},
  isDraining = () => false,
): void {
  const told = () => Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word()]))
  app.get('/health/live', uncounted, async () => ({ status: 'ok' }))
  app.get('/health/ready', uncounted, async (_request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining', ...told() })
    const ready = await answersInTime(pool)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'database away', ...told() })
  })
}

/** Whoever asks waits no longer than this, also while others hold every connection. */
const answerMs = 2_500

/** The question's own limit makes the pool throw away a connection that the network has lost. */
const question = { text: 'select 1', query_timeout: 2_000 }

async function answersInTime(pool: pg.Pool): Promise<boolean> {
  const asked = pool.query(question).then(
    () => true,
    () => false,
  )
  return (await atMost(answerMs, asked)) ?? false
}

/** Not rate limited: a monitor always asks from one address and would read a 429 as a server that is down. */
const uncounted = { exposeHeadRoute: false, config: { countedAs: null } } as const
