import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeIdleConnections } from './connections.ts'

/** Rejects every request while the server closes, and unknown `Expect` headers at any time. */
export function addShutdownHooks(app: FastifyInstance, isDraining: () => boolean): void {
  let closing = false
  let closed = () => {}
  app.addHook('preClose', async () => {
    closing = true
    closed = closeIdleConnections(app.server)
  })
  app.addHook('onClose', async () => closed())
  app.addHook('onRequest', (request, reply, done) => {
    // Makes a proxy with keep-alive connect to another server before this one closes.
    if (isDraining()) reply.header('connection', 'close')
    if (closing) {
      // The connection closes, so the client's next request on it would not be read.
      reply.header('connection', 'close')
      done(apiErrors.Unavailable())
    } else if (expectsTheUnknown(request)) done(apiErrors.ExpectationFailed())
    else done()
  })
}

/** Node itself handles `100-continue`. */
const expectsTheUnknown = ({ raw }: FastifyRequest): boolean =>
  raw.headers.expect !== undefined && !/^100-continue$/i.test(raw.headers.expect)
