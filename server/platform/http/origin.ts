import type { FastifyRequest } from 'fastify'
import type { UserActor } from './authorization.ts'

/** The actor and session of a change, stored in the timeline and the evidence. */
export type Origin = {
  actorId: string
  sessionId: string
  requestId: string
  ip: string
  userAgent: string | null
  /** Adds the deal's id to the request log. */
  concerns?: (dealId: string) => void
}

export const toOrigin = (actor: UserActor, request: FastifyRequest): Origin => ({
  actorId: actor.id,
  sessionId: actor.sessionId,
  requestId: request.id,
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  concerns: (dealId) => {
    request.dealId = dealId
  },
})
