import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** Live: this process answers. Ready: its database does too. */
export function registerHealth(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/health/live', { exposeHeadRoute: false }, async () => ({ status: 'ok' }))
  app.get('/health/ready', { exposeHeadRoute: false }, async (_request, reply) => {
    try {
      await pool.query('select 1')
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'database away' })
    }
  })
}
