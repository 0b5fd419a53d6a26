import { createHmac } from 'node:crypto'
import {
  maxConfirmationAgeMs,
  type SessionLifetimes,
  sessionLifetimes,
  type UserType,
} from '@keyturn/contract/accounts/rules.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { newId, newOwnedId } from '../../../platform/database/new-id.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { RowOf } from '../../../platform/database/prepare-query.ts'
import {
  type Administrator,
  bearerToken,
  type FindSessions,
  type UserActor,
} from '../../../platform/http/authorization.ts'
import { detachDevice } from '../../notifications/push/devices.ts'
import { requireNotSuspended } from '../people/suspension.ts'
import { findTokenActor } from '../tokens/find-token-actor.ts'
import { findActor, findAdministrator } from './actor-repository.ts'
import {
  cookieNames,
  hashToken,
  newToken,
  readTokenHash,
  type SessionKind,
  type Tokens,
  type Visitor,
} from './cookies.ts'
import { adminSessions, type SessionStore, userSessions } from './session-repository.ts'
import { decideRotation, graceSeconds } from './token-rotation.ts'

/**
 * Finds the caller by the cookies of a request: at most one query per kind of session. The cookies of
 * a request with a token are ignored, so that it has no other rights than its token (R-accounts-69).
 */
export function createSessionFinder(deps: Deps): FindSessions {
  const names = cookieNames(deps.config)
  const credentials = adminCredentials(deps.config)

  async function user(hash: Buffer | null): Promise<UserActor | null> {
    return hash ? actorOf((await findActor(deps.db, { hash }))[0]) : null
  }

  async function administrator(hash: Buffer | null, ip: string): Promise<Administrator | null> {
    if (!hash) return null
    const seconds = maxConfirmationAgeMs / 1000
    const [found] = await findAdministrator(deps.db, { hash, credentials, seconds })
    if (!found) return null
    const { hasCodes, ...session } = found
    const { production, admin } = deps.config
    return session.id !== null
      ? {
          ...session,
          role: session.role ?? 'SUPPORT',
          username: session.username ?? '',
          ip,
          mustEnroll: production && !hasCodes,
        }
      : { ...session, role: 'OPERATOR', username: admin?.username ?? '', ip, mustEnroll: false }
  }

  return async (request, wanted) => {
    const token = bearerToken(request)
    if (token !== null) {
      const owner = wanted.scope ? await findTokenActor(deps, token, wanted.scope, request.ip) : null
      return { user: owner, administrator: null }
    }
    return {
      user: wanted.user ? await user(readTokenHash(request, names.user.access)) : null,
      administrator: wanted.administrator
        ? await administrator(readTokenHash(request, names.administrator.access), request.ip)
        : null,
    }
  }
}

function actorOf(found: RowOf<typeof findActor> | undefined): UserActor | null {
  if (!found) return null
  const { approved, ...person } = found
  return { ...person, wholesaler: approved && person.userType === 'WHOLESALER' }
}

export const sessionStores: Record<SessionKind, SessionStore> = {
  user: userSessions,
  administrator: adminSessions,
}

/** Identifies the administrator without storing the password; a new password ends sessions. */
export function adminCredentials({ admin, sessionSecret }: Config): string | null {
  if (!admin) return null
  const digest = createHmac('sha256', sessionSecret).update(
    `administrator ${admin.username} ${admin.password}`,
  )
  return `${admin.username} ${digest.digest('base64url')}`
}

/** Wholesalers see other people's addresses, so their sessions are shorter. */
export const lifetimesOf = (userType: UserType): SessionLifetimes =>
  userType === 'WHOLESALER' ? sessionLifetimes.wholesaler : sessionLifetimes.user

type NewSession = {
  kind: SessionKind
  owner: string
  lasting: SessionLifetimes
  signedInAt?: Date | undefined
  withPasskey?: boolean
  /** Set when something has to be attached to the session before it exists. */
  id?: string
}

/**
 * Starts a session and ends the one that the browser presented: no session is ever reused. A person
 * who signs in again without signing out keeps getting pushes on this device (R-notifications-26).
 * The caller holds the person's lock. Throws `AccountSuspended`.
 */
export async function startSession(
  { config }: Pick<Deps, 'config'>,
  tx: Db,
  visitor: Visitor,
  session: NewSession,
): Promise<Tokens> {
  if (session.kind === 'user') await requireNotSuspended(config, tx, session.owner)
  const store = sessionStores[session.kind]
  const { access, refresh, ip, userAgent, timeZone } = visitor
  const attachDevice = session.kind === 'user' ? await detachOwnDevice(tx, visitor, session.owner) : null
  if (access ?? refresh) await store.endPresented(tx, { access, refresh, because: 'replaced by a sign-in' })
  const id = session.id ?? (session.kind === 'user' ? newOwnedId(session.owner) : newId())
  await store.insertSession(tx, {
    id,
    owner: session.owner,
    signedInAt: session.signedInAt ?? null,
    seconds: session.lasting.sessionMs / 1000,
    idleSeconds: session.lasting.refreshIdleMs / 1000,
    ip,
    userAgent,
    timeZone,
    withPasskey: session.withPasskey ?? false,
  })
  await attachDevice?.(id)
  return issueTokens(tx, session.kind, id, null)
}

async function detachOwnDevice(tx: Db, { access, refresh }: Visitor, userId: string) {
  if (!access && !refresh) return null
  const [own] = await userSessions.findPresented(tx, { access, refresh, owner: userId })
  return own ? detachDevice(tx, { sessionId: own.id, userId }) : null
}

export type RefreshedSession =
  | { outcome: 'refreshed'; tokens: Tokens }
  | { outcome: 'refused' }
  | { outcome: 'suspended'; owner: string }
  | { outcome: 'reused'; owner: string; sessionId: string }

/** Refreshes a session under its lock, so that concurrent refreshes run one at a time. */
export async function refreshSession(tx: Db, kind: SessionKind, hash: Buffer): Promise<RefreshedSession> {
  const store = sessionStores[kind]
  const [session] = await store.lockSessionOf(tx, { hash })
  const [token] = session ? await store.readRefresh(tx, { hash, graceSeconds }) : []
  if (!session || !token) return { outcome: 'refused' }
  const rotation = decideRotation(token)
  // A copy of an older token learns nothing about the suspension.
  const isCurrent = rotation !== 'refuse' && rotation !== 'reuse'
  if (session.isSuspended && isCurrent) return { outcome: 'suspended', owner: session.owner }
  if (session.over) return { outcome: 'refused' }
  if (rotation === 'refuse') return { outcome: 'refused' }
  if (rotation === 'reuse') {
    await store.endSession(tx, session.id, 'a used refresh token came again')
    return { outcome: 'reused', owner: session.owner, sessionId: session.id }
  }
  if (rotation === 'accessOnly' && token.childHash) {
    const access = await issueAccess(tx, kind, session.id, token.childHash)
    return { outcome: 'refreshed', tokens: { access, refresh: null } }
  }
  if (token.childHash) await store.revokeChild(tx, token.childHash)
  await store.markPresented(tx, { hash })
  return { outcome: 'refreshed', tokens: await issueTokens(tx, kind, session.id, hash) }
}

async function issueTokens(
  tx: Db,
  kind: SessionKind,
  sessionId: string,
  parentHash: Buffer | null,
): Promise<Tokens> {
  const refresh = newToken()
  const hash = hashToken(refresh)
  await sessionStores[kind].insertRefresh(tx, { hash, sessionId, parentHash })
  return { access: await issueAccess(tx, kind, sessionId, hash), refresh }
}

async function issueAccess(
  tx: Db,
  kind: SessionKind,
  sessionId: string,
  refreshHash: Buffer,
): Promise<string> {
  const access = newToken()
  const seconds = sessionLifetimes[kind].accessMs / 1000
  await sessionStores[kind].insertAccess(tx, { hash: hashToken(access), sessionId, refreshHash, seconds })
  return access
}
