import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { withTimeLimit } from '../../shared/with-time-limit.ts'

/** Extra fields in the response; each function is called on every request. */
export type HealthFields = Record<string, () => string>

/**
 * Live: the process responds. Ready: it is not draining and its database responds
 * (R-everywhere-50). Stalled background jobs are only reported, because routing traffic to another
 * server would not help.
 */
export function registerHealth(
  app: FastifyInstance,
  pool: pg.Pool,
  fields: HealthFields = {},
  isDraining = () => false,
): void {
  const fieldValues = () => Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read()]))
  app.get('/health/live', uncounted, async () => ({ status: 'ok' }))
  app.get('/health/ready', uncounted, async (_request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining', ...fieldValues() })
    const ready = await respondsInTime(pool)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'database away', ...fieldValues() })
  })
}

/** Maximum response time, even when the connection pool is exhausted. */
const maxResponseMs = 2_500

/** `query_timeout` makes the pool discard a connection that the network has dropped. */
const query = { text: 'select 1', query_timeout: 2_000 }

async function respondsInTime(pool: pg.Pool): Promise<boolean> {
  const responded = pool.query(query).then(
    () => true,
    () => false,
  )
  return (await withTimeLimit(maxResponseMs, responded)) ?? false
}

/** Not rate limited: a monitor uses one address and would treat a 429 as an outage. */
const uncounted = { exposeHeadRoute: false, config: { countedAs: null } } as const
