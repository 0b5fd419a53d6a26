import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { prepared } from '../../db/open.ts'
import { adminSessionTables, type SessionTables, userSessionTables, users } from '../tables.ts'

const p = sql.placeholder
const now = sql`keyturn_now()`

/** The hot path of every call that a signed-in person makes: one read over three primary keys. */
export const findActor = prepared<{ hash: Buffer }, ActorRow[]>('actor', (db) => {
  const { sessions, accessTokens } = userSessionTables
  return db
    .select({
      id: users.id,
      sessionId: sessions.id,
      userType: users.userType,
      verified: sql<boolean>`${users.verifiedAt} is not null`,
      approved: sql<boolean>`${users.approvedAt} is not null`,
    })
    .from(accessTokens)
    .innerJoin(sessions, eq(sessions.id, accessTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.owner))
    .where(and(isGood(userSessionTables), isNull(users.deletedAt)))
})
export type ActorRow = {
  id: string
  sessionId: string
  userType: UserType
  verified: boolean
  approved: boolean
}

export const findAdministrator = prepared<{ hash: Buffer; credentials: string }, { sessionId: string }[]>(
  'administrator',
  (db) => {
    const { sessions, accessTokens } = adminSessionTables
    return db
      .select({ sessionId: sessions.id })
      .from(accessTokens)
      .innerJoin(sessions, eq(sessions.id, accessTokens.sessionId))
      .where(and(isGood(adminSessionTables), eq(sessions.owner, p('credentials'))))
  },
)

/** When this session's person last typed a password, and whether that is fresh. */
export const isFreshSignIn = prepared<
  { id: string; seconds: number },
  { signedInAt: Date; fresh: boolean }[]
>('fresh-sign-in', (db) =>
  db
    .select({
      signedInAt: userSessionTables.sessions.signedInAt,
      fresh: sql<boolean>`${userSessionTables.sessions.signedInAt} > ${now} - ${p('seconds')}::int * interval '1 second'`,
    })
    .from(userSessionTables.sessions)
    .where(eq(userSessionTables.sessions.id, p('id'))),
)

const isGood = ({ sessions, accessTokens }: SessionTables) =>
  and(
    eq(accessTokens.hash, p('hash')),
    sql`${accessTokens.expiresAt} > ${now}`,
    isNull(sessions.endedAt),
    sql`${sessions.expiresAt} > ${now}`,
  )
