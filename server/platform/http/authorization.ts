import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import type { Who } from '@keyturn/contract/shared/endpoint.ts'
import { type Refusal, refuse } from '@keyturn/contract/shared/error.ts'
import { webhookHeaders } from '@keyturn/contract/shared/webhooks.ts'
import type { FastifyRequest } from 'fastify'

/** A signed-in person, as the session names them: the only source of who acts. */
export type UserActor = {
  id: string
  sessionId: string
  userType: UserType
  verified: boolean
  /** An approved wholesaler; always false for others. */
  wholesaler: boolean
}
export type Administrator = { username: string; sessionId: string }
/** Both sessions may be present in one browser; rights come from either. */
export type Asker = { user: UserActor | null; administrator: Administrator | null }

declare module 'fastify' {
  interface FastifyRequest {
    /** Who was found to ask, for the log alone; null until somebody looked. */
    asker: Asker | null
    /** Which deal it was found to be about, for the log alone; null until somebody found one. */
    dealId: string | null
    /** By which code it was refused, for the log alone. */
    refused: string | null
  }
}

/** Looks up the sessions that a request's cookies carry; handed in by `app.ts`, so that `http` knows no room. */
export type FindSessions = (
  request: FastifyRequest,
  wanted: { user: boolean; administrator: boolean },
) => Promise<Asker>

type UserWho = Exclude<Who, 'anyone' | 'administrator' | 'partner'>
const mayAct: Record<UserWho, (user: UserActor) => boolean> = {
  signedIn: () => true,
  verified: (user) => user.verified,
  trader: (user) => user.verified && user.userType !== 'WHOLESALER',
  wholesaler: (user) => user.verified && user.wholesaler,
}

/** Why these sessions may not make a call open to `who`, or null when they may (R-everywhere-9). */
export function refusalFor(who: readonly Who[], asker: Asker, isSigned = false): Refusal | null {
  if (who.includes('anyone')) return null
  if (who.includes('administrator') && asker.administrator) return null
  if (who.includes('partner') && isSigned) return null
  if (who.every((name) => name === 'partner')) return refuse.InvalidSignature()
  const forUsers = who.filter((name): name is UserWho => name in mayAct)
  if (forUsers.length === 0) return refuse.InvalidAdminAccessToken()
  const { user } = asker
  if (!user) return refuse.InvalidAccessToken()
  if (forUsers.some((name) => mayAct[name](user))) return null
  return user.verified ? refuse.Forbidden() : refuse.EmailNotVerified()
}

/** It says that it is signed; whether that is so, its action finds out. */
export const isSigned = ({ headers }: FastifyRequest): boolean =>
  Object.values(webhookHeaders).every((name) => typeof headers[name] === 'string')
