import type { Session } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { networkOf } from '../../../platform/rate-limits/throttles.ts'
import { deviceName } from '../../notifications/push/device-name.ts'
import { userSessionTables } from '../tables.ts'
import { authenticatedAt, isActive, userSessions } from './session-repository.ts'

// A person's own sessions, to see and to end (R-accounts-48, R-accounts-49). A trigger of the
// database tells open pages that their session ended, and switches off its pushes.

const { sessions, refreshTokens } = userSessionTables

/** More than anybody has devices. */
const maxListed = 50

const lastUsedAt = sql<Date>`coalesce((select max(${refreshTokens.createdAt}) from ${refreshTokens}
  where ${refreshTokens.sessionId} = ${sessions.id}), ${sessions.signedInAt})`

const findSessions = prepareQuery('find-own-sessions', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select({
      id: sessions.id,
      ip: sessions.ip,
      userAgent: sessions.userAgent,
      signedInAt: authenticatedAt,
      lastUsedAt: lastUsedAt.mapWith((text: string) => new Date(text)),
      isActive,
    })
    .from(sessions)
    .where(eq(sessions.owner, p.userId))
    .orderBy(desc(isActive), desc(lastUsedAt), desc(sessions.id))
    .limit(maxListed),
)

type Ending = { userId: string; sessionId: string; because: string }

const endOwnSession = prepareQuery('end-own-session', (db, p: Placeholders<Ending>) =>
  db
    .update(sessions)
    .set({ endedAt: now, endedBecause: sql`${p.because}` })
    .where(and(eq(sessions.id, p.sessionId), eq(sessions.owner, p.userId), isNull(sessions.endedAt)))
    .returning({ id: sessions.id }),
)

type OwnSessions = { sessions: Session[] }

export async function listSessions(db: Db, actor: UserActor): Promise<OwnSessions> {
  const rows = await findSessions(db, { userId: actor.id })
  return { sessions: rows.map((row) => toSession(row, actor)) }
}

/** Ends one session at once. Throws `NotFound` for a session of somebody else, or an ended one. */
export async function endSession(deps: Deps, actor: UserActor, sessionId: string): Promise<OwnSessions> {
  const because = 'signed out from another device'
  const [ended] = await endOwnSession(deps.db, { userId: actor.id, sessionId, because })
  if (!ended) throw apiErrors.NotFound()
  deps.log.info({ event: 'session ended', user: actor.id, session: sessionId }, 'account')
  return listSessions(deps.db, actor)
}

export async function endOtherSessions(deps: Deps, actor: UserActor): Promise<OwnSessions> {
  const because = 'signed out everywhere else'
  const ended = await userSessions.endOtherSessionsOf(deps.db, {
    owner: actor.id,
    sessionId: actor.sessionId,
    because,
  })
  deps.log.info({ event: 'other sessions ended', user: actor.id, count: ended.length }, 'account')
  return listSessions(deps.db, actor)
}

const toSession = (row: RowOf<typeof findSessions>, actor: UserActor): Session => ({
  _id: row.id,
  name: deviceName(row.userAgent ?? ''),
  network: row.ip === null ? '' : networkOf(row.ip),
  signedInAt: row.signedInAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt.toISOString(),
  isCurrent: row.id === actor.sessionId,
  isActive: row.isActive,
})
