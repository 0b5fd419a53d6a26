import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import type { CallerRole } from '@keyturn/contract/shared/endpoint.ts'
import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { webhookHeaders } from '@keyturn/contract/shared/webhooks.ts'
import type { FastifyRequest } from 'fastify'

/** A signed-in user, taken from the session only, never from the input. */
export type UserActor = {
  id: string
  sessionId: string
  userType: UserType
  verified: boolean
  /** True for an approved wholesaler, false for every other user. */
  wholesaler: boolean
}
export type Administrator = { username: string; sessionId: string }
/** Both sessions may be present in one browser; rights come from either. */
export type Caller = { user: UserActor | null; administrator: Administrator | null }

declare module 'fastify' {
  interface FastifyRequest {
    /** For logging only; null until the sessions are looked up. */
    caller: Caller | null
    /** For logging only; null until a deal is known. */
    dealId: string | null
    /** The error code, for logging only. */
    refused: string | null
  }
}

/** Finds the sessions of a request's cookies; injected by `app.ts`, so `http` imports no module. */
export type FindSessions = (
  request: FastifyRequest,
  wantedSessions: { user: boolean; administrator: boolean },
) => Promise<Caller>

type UserRole = Exclude<CallerRole, 'anyone' | 'administrator' | 'partner'>
const isAllowed: Record<UserRole, (user: UserActor) => boolean> = {
  signedIn: () => true,
  verified: (user) => user.verified,
  trader: (user) => user.verified && user.userType !== 'WHOLESALER',
  wholesaler: (user) => user.verified && user.wholesaler,
}

/** Returns the error for a caller who is not allowed, or null if allowed (R-everywhere-9). */
export function authorizationError(
  callers: readonly CallerRole[],
  caller: Caller,
  isSigned = false,
): ApiError | null {
  if (callers.includes('anyone')) return null
  if (callers.includes('administrator') && caller.administrator) return null
  if (callers.includes('partner') && isSigned) return null
  if (callers.every((name) => name === 'partner')) return apiErrors.InvalidSignature()
  const forUsers = callers.filter((name): name is UserRole => name in isAllowed)
  if (forUsers.length === 0) return apiErrors.InvalidAdminAccessToken()
  const { user } = caller
  if (!user) return apiErrors.InvalidAccessToken()
  if (forUsers.some((name) => isAllowed[name](user))) return null
  return user.verified ? apiErrors.Forbidden() : apiErrors.EmailNotVerified()
}

/** Returns whether the signature headers are present; the signature is verified later. */
export const hasSignature = ({ headers }: FastifyRequest): boolean =>
  Object.values(webhookHeaders).every((name) => typeof headers[name] === 'string')
