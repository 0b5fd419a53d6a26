import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeIdleConnections } from './connections.ts'

/** What is refused whatever is asked: everything while the server closes, and what this server never does. */
export function addShutdownHooks(app: FastifyInstance, isDraining: () => boolean): void {
  let closing = false
  let closed = () => {}
  app.addHook('preClose', async () => {
    closing = true
    closed = closeIdleConnections(app.server)
  })
  app.addHook('onClose', async () => closed())
  app.addHook('onRequest', (request, reply, done) => {
    // A proxy that keeps connections makes its next ones elsewhere, instead of meeting one that is just being closed.
    if (isDraining()) reply.header('connection', 'close')
    if (closing) {
      // The connection is closed: nobody would read the client's next request on it.
      reply.header('connection', 'close')
      done(apiErrors.Unavailable())
    } else if (expectsTheUnknown(request)) done(apiErrors.ExpectationFailed())
    else done()
  })
}

/** Node itself answers the one expectation that there is. */
const expectsTheUnknown = ({ raw }: FastifyRequest): boolean =>
  raw.headers.expect !== undefined && !/^100-continue$/i.test(raw.headers.expect)
