import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Cursor, encodeCursor } from '../database/page.ts'

/** Says where the list goes on: the same address from this row on (R-everywhere-6; RFC 8288). */
export function nextLink(reply: FastifyReply, request: FastifyRequest, last: Cursor): void {
  const [path = '/', query] = request.url.split('?', 2)
  const asked = new URLSearchParams(query)
  asked.set('cursor', encodeCursor(last))
  reply.header('link', `<${path}?${asked}>; rel="next"`)
}
