import type { AdminRole } from '@keyturn/contract/accounts/admin-acts.ts'
import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import { type CallerRole, isAdminCaller, type Scope } from '@keyturn/contract/shared/endpoint.ts'
import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { webhookHeaders } from '@keyturn/contract/shared/webhooks.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A user, taken from the session or the token only, never from the input. */
export type ScopedActor = {
  id: string
  /** Null for a call with a token, which never signs in (R-accounts-70). */
  sessionId: string | null
  userType: UserType
  verified: boolean
  /** True for an approved wholesaler, false for every other user. */
  wholesaler: boolean
}
/** A signed-in user: the actor of every endpoint without a scope. */
export type UserActor = ScopedActor & { sessionId: string }
export type Administrator = {
  /** Null for the administrator of the settings. */
  id: string | null
  username: string
  role: AdminRole
  sessionId: string
  ip: string
  /** The password was entered within the last minutes (`maxConfirmationAgeMs`). */
  isConfirmed: boolean
  /** Until one-time codes are set up, only the calls that set them up are allowed. */
  mustEnroll: boolean
}
/** Both sessions may be present in one browser; rights come from either. */
export type Caller = { user: ScopedActor | null; administrator: Administrator | null }

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

/**
 * Finds the sessions of a request's cookies, or the owner of its token; injected by `app.ts`, so
 * `http` imports no module. Without a `scope`, a request with a token has no caller.
 */
export type FindSessions = (
  request: FastifyRequest,
  wantedSessions: { user: boolean; administrator: boolean; scope?: Scope | undefined },
) => Promise<Caller>

type UserRole = Exclude<CallerRole, 'anyone' | 'administrator' | 'operator' | 'partner'>
const isAllowed: Record<UserRole, (user: ScopedActor) => boolean> = {
  signedIn: () => true,
  verified: (user) => user.verified,
  trader: (user) => user.verified && user.userType !== 'WHOLESALER',
  wholesaler: (user) => user.verified && user.wholesaler,
}

/** Returns whether an administrator's role is enough: support reads, an operator also acts. */
const isAllowedAdministrator = (callers: readonly CallerRole[], administrator: Administrator | null) =>
  administrator !== null &&
  (callers.includes('administrator') || (callers.includes('operator') && administrator.role === 'OPERATOR'))

/** Returns the caller without an administrator who may not call: a user's rights remain. */
export const permittedCaller = (callers: readonly CallerRole[], caller: Caller): Caller =>
  isAllowedAdministrator(callers, caller.administrator) ? caller : { ...caller, administrator: null }

/** Returns the error for a caller who is not allowed, or null if allowed (R-everywhere-9). */
export function authorizationError(
  callers: readonly CallerRole[],
  caller: Caller,
  isSigned = false,
): ApiError | null {
  if (callers.includes('anyone')) return null
  if (isAllowedAdministrator(callers, caller.administrator)) return null
  if (callers.includes('partner') && isSigned) return null
  if (callers.every((name) => name === 'partner')) return apiErrors.InvalidSignature()
  const forUsers = callers.filter((name): name is UserRole => name in isAllowed)
  const { user, administrator } = caller
  if (user && forUsers.some((name) => isAllowed[name](user))) return null
  if (callers.some(isAdminCaller) && administrator) return apiErrors.OperatorRequired()
  if (forUsers.length === 0) return apiErrors.InvalidAdminAccessToken()
  if (!user) return apiErrors.InvalidAccessToken()
  return user.verified ? apiErrors.Forbidden() : apiErrors.EmailNotVerified()
}

/** Returns whether the signature headers are present; the signature is verified later. */
export const hasSignature = ({ headers }: FastifyRequest): boolean =>
  Object.values(webhookHeaders).every((name) => typeof headers[name] === 'string')

/** The beginning of every personal access token, for secret scanners and for people. */
export const tokenPrefix = 'kt_'

/**
 * Returns the personal access token of a request, or null. A header of another kind may come from a
 * proxy that asks visitors for a password, so it is ignored.
 */
export function bearerToken({ headers }: FastifyRequest): string | null {
  const [, token = null] = /^Bearer +(\S*) *$/i.exec(headers.authorization ?? '') ?? []
  return token?.startsWith(tokenPrefix) ? token : null
}

const challengeErrors: Partial<Record<ApiError['code'], string>> = {
  InvalidToken: 'invalid_token',
  InsufficientScope: 'insufficient_scope',
  TokenNotAllowed: 'insufficient_scope',
}

/**
 * Returns the `WWW-Authenticate` of a rejected token (RFC 6750), or null. Sessions have no scheme,
 * so a request without a token gets no challenge. No scope opens an endpoint without one.
 */
export function tokenChallenge(request: FastifyRequest, { code }: Pick<ApiError, 'code'>): string | null {
  const error = challengeErrors[code]
  if (error === undefined || bearerToken(request) === null) return null
  const scope = code === 'InsufficientScope' ? request.routeOptions.config.call?.scope : undefined
  return `Bearer realm="Keyturn", error="${error}"${scope ? `, scope="${scope}"` : ''}`
}

/** Rejects tokens on endpoints without a scope, before anything is read (R-accounts-70). */
export function rejectUnscopedTokens(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { call } = request.routeOptions.config
    if (call && !call.scope && bearerToken(request) !== null) throw apiErrors.TokenNotAllowed()
  })
}
