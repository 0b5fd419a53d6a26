import type { FastifyRequest } from 'fastify'
import type { ScopedActor } from './authorization.ts'

/** The actor and session of a change, stored in the timeline. */
export type ChangeContext = {
  actorId: string
  /** Null for a call with a token. */
  sessionId: string | null
  requestId: string
  ip: string
  userAgent: string | null
  /** Adds the deal's id to the request log. */
  concerns?: (dealId: string) => void
}

/** Evidence names the session: nobody signs or consents with a token (R-accounts-70). */
export type SessionContext = ChangeContext & { sessionId: string }

export const toChangeContext = <A extends ScopedActor>(
  actor: A,
  request: FastifyRequest,
): ChangeContext & { sessionId: A['sessionId'] } => ({
  actorId: actor.id,
  sessionId: actor.sessionId,
  requestId: request.id,
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  concerns: (dealId) => {
    request.dealId = dealId
  },
})
