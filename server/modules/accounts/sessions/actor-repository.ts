import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import {
  administrators,
  adminSessionTables,
  type SessionTables,
  userSessionTables,
  users,
} from '../tables.ts'

const { sessions: userSessions, accessTokens: userTokens } = userSessionTables

/** The hot path of every authenticated request: one query over three primary keys. */
export const findActor = prepareQuery('find-actor', (db, p: Placeholders<{ hash: Buffer }>) =>
  db
    .select({
      id: users.id,
      sessionId: userSessions.id,
      userType: users.userType,
      verified: sql<boolean>`${users.verifiedAt} is not null`,
      approved: sql<boolean>`${users.approvedAt} is not null`,
    })
    .from(userTokens)
    .innerJoin(userSessions, eq(userSessions.id, userTokens.sessionId))
    .innerJoin(users, eq(users.id, userSessions.owner))
    .where(and(isValid(userSessionTables, p), isNull(users.deletedAt), isNull(users.suspendedAt))),
)

export const findAdministrator = prepareQuery(
  'find-administrator',
  (db, p: Placeholders<{ hash: Buffer; credentials: string | null; seconds: number }>) => {
    const { sessions, accessTokens } = adminSessionTables
    return db
      .select({
        sessionId: sessions.id,
        id: administrators.id,
        username: administrators.username,
        role: administrators.role,
        hasCodes: sql<boolean>`${administrators.totpConfirmedAt} is not null`,
        isConfirmed: sql<boolean>`${sessions.signedInAt} > ${now} - ${p.seconds}::int * interval '1 second'`,
      })
      .from(accessTokens)
      .innerJoin(sessions, eq(sessions.id, accessTokens.sessionId))
      .leftJoin(
        administrators,
        // The owner is a text, whose cast cuts off what follows an id.
        sql`${administrators.id} = ${sessions.owner}::char(24) and length(${sessions.owner}) = 24
          and ${administrators.disabledAt} is null`,
      )
      .where(
        and(
          isValid(adminSessionTables, p),
          or(eq(sessions.owner, p.credentials), isNotNull(administrators.id)),
        ),
      )
  },
)

export const findSignInTime = prepareQuery(
  'find-sign-in-time',
  (db, p: Placeholders<{ id: string; seconds: number }>) =>
    db
      .select({
        signedInAt: userSessionTables.sessions.signedInAt,
        withPasskey: userSessionTables.sessions.withPasskey,
        fresh: sql<boolean>`${userSessionTables.sessions.signedInAt} > ${now} - ${p.seconds}::int * interval '1 second'`,
      })
      .from(userSessionTables.sessions)
      .where(eq(userSessionTables.sessions.id, p.id)),
)

const isValid = ({ sessions, accessTokens }: SessionTables, p: Placeholders<{ hash: Buffer }>) =>
  and(
    eq(accessTokens.hash, p.hash),
    sql`${accessTokens.expiresAt} > ${now}`,
    isNull(sessions.endedAt),
    sql`${sessions.expiresAt} > ${now}`,
  )
