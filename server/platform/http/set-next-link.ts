import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Cursor, encodeCursor } from '../database/pagination.ts'

/**
 * Sets the `Link` header of the next page, which starts after row `last` (R-everywhere-6; RFC
 * 8288).
 */
export function setNextLink(reply: FastifyReply, request: FastifyRequest, last: Cursor): void {
  const [path = '/', query] = request.url.split('?', 2)
  const params = new URLSearchParams(query)
  params.set('cursor', encodeCursor(last))
  reply.header('link', `<${path}?${params}>; rel="next"`)
}
