import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { atMost } from '../../shared/at-most.ts'

/** Extra fields in the response; each function is called on every request. */
export type HealthWords = Record<string, () => string>

/**
 * Live: the process responds. Ready: it is not draining and its database responds (R-everywhere-50).
 * Stalled background jobs are only reported, because routing traffic to another server would not help.
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

/** Maximum response time, even when the connection pool is exhausted. */
const answerMs = 2_500

/** `query_timeout` makes the pool discard a connection that the network has dropped. */
const question = { text: 'select 1', query_timeout: 2_000 }

async function answersInTime(pool: pg.Pool): Promise<boolean> {
  const asked = pool.query(question).then(
    () => true,
    () => false,
  )
  return (await atMost(answerMs, asked)) ?? false
}

/** Not rate limited: a monitor uses one address and would treat a 429 as an outage. */
const uncounted = { exposeHeadRoute: false, config: { countedAs: null } } as const
