import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../db/open.ts'
import { adminSessionTables, type SessionTables, userSessionTables } from '../tables.ts'

const p = sql.placeholder
const now = sql`keyturn_now()`
const inSeconds = (name: string) => sql`${now} + ${p(name)}::int * interval '1 second'`

export type SessionStore = ReturnType<typeof sessionStore>
export const userSessions = sessionStore('user', userSessionTables)
export const adminSessions = sessionStore('admin', adminSessionTables)

/** The same queries over the users' tables and over the administrator's. */
function sessionStore(name: string, { sessions, refreshTokens, accessTokens }: SessionTables) {
  const insertSession = prepared<NewSession, unknown>(`${name}-insert-session`, (db) =>
    db.insert(sessions).values({
      id: p('id'),
      owner: p('owner'),
      signedInAt: sql`coalesce(${p('signedInAt')}::timestamptz, ${now})`,
      expiresAt: inSeconds('seconds'),
      idleSeconds: p('idleSeconds'),
      ip: p('ip'),
      userAgent: p('userAgent'),
    }),
  )

  /** A refresh token lives as long as it may lie idle, and never longer than its session. */
  const insertRefresh = prepared<NewRefresh, unknown>(`${name}-insert-refresh`, (db) =>
    db.insert(refreshTokens).values({
      hash: p('hash'),
      sessionId: p('sessionId'),
      parentHash: p('parentHash'),
      expiresAt: sql`(select least(${sessions.expiresAt}, ${now} + ${sessions.idleSeconds} * interval '1 second')
        from ${sessions} where ${sessions.id} = ${p('sessionId')}::char(24))`,
    }),
  )

  const insertAccess = prepared<NewAccess, unknown>(`${name}-insert-access`, (db) =>
    db.insert(accessTokens).values({
      hash: p('hash'),
      sessionId: p('sessionId'),
      refreshHash: p('refreshHash'),
      expiresAt: inSeconds('seconds'),
    }),
  )

  const findSessionOf = prepared<{ hash: Buffer }, { id: string }[]>(`${name}-session-of`, (db) =>
    db
      .select({ id: refreshTokens.sessionId })
      .from(refreshTokens)
      .where(eq(refreshTokens.hash, p('hash'))),
  )

  /** First the lock, then a second statement that reads: a single one would read what stood before it waited. */
  const lockSessionOf = prepared<{ hash: Buffer }, SessionRow[]>(`${name}-lock-session`, (db) =>
    db
      .select({
        id: sessions.id,
        owner: sessions.owner,
        over: sql<boolean>`(${sessions.endedAt} is not null or ${sessions.expiresAt} <= ${now})`,
      })
      .from(sessions)
      .where(
        eq(
          sessions.id,
          db
            .select({ id: refreshTokens.sessionId })
            .from(refreshTokens)
            .where(eq(refreshTokens.hash, p('hash'))),
        ),
      )
      .for('update'),
  )

  const child = sql`child`
  const readRefresh = prepared<{ hash: Buffer; graceSeconds: number }, RefreshRow[]>(
    `${name}-read-refresh`,
    (db) =>
      db
        .select({
          expired: sql<boolean>`${refreshTokens.expiresAt} <= ${now}`,
          revoked: sql<boolean>`${refreshTokens.revokedAt} is not null`,
          presented: sql<boolean>`${refreshTokens.presentedAt} is not null`,
          justNow: sql<boolean>`coalesce(${refreshTokens.presentedAt} > ${now} - ${p('graceSeconds')}::int * interval '1 second', false)`,
          childHash: sql<Buffer | null>`${child}.hash`,
          childPresented: sql<boolean>`coalesce(${child}.presented_at is not null, false)`,
        })
        .from(refreshTokens)
        .leftJoin(
          sql`${refreshTokens} as ${child}`,
          sql`${child}.parent_hash = ${refreshTokens.hash} and ${child}.revoked_at is null`,
        )
        .where(eq(refreshTokens.hash, p('hash'))),
  )

  const markPresented = prepared<{ hash: Buffer }, unknown>(`${name}-mark-presented`, (db) =>
    db
      .update(refreshTokens)
      .set({ presentedAt: now })
      .where(eq(refreshTokens.hash, p('hash'))),
  )

  /** Takes back a child that was never used, and the access token that came with it. */
  async function revokeChild(tx: Db, hash: Buffer): Promise<void> {
    await tx.update(refreshTokens).set({ revokedAt: now }).where(eq(refreshTokens.hash, hash))
    await tx.delete(accessTokens).where(eq(accessTokens.refreshHash, hash))
  }

  const endSession = (tx: Db, id: string, because: string) =>
    tx
      .update(sessions)
      .set({ endedAt: now, endedBecause: because })
      .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))

  const endSessionsOf = (tx: Db, owner: string, because: string, except = '') =>
    tx
      .update(sessions)
      .set({ endedAt: now, endedBecause: because })
      .where(and(eq(sessions.owner, owner), isNull(sessions.endedAt), ne(sessions.id, except)))

  /** Ends the session that these tokens belong to, whichever of the two is still there. */
  const endPresented = prepared<
    { access: Buffer | null; refresh: Buffer | null; because: string },
    { id: string; owner: string }[]
  >(`${name}-end-presented`, (db) =>
    db
      .update(sessions)
      .set({ endedAt: now, endedBecause: sql`${p('because')}` })
      .where(
        and(
          isNull(sessions.endedAt),
          or(
            sql`${sessions.id} in (select session_id from ${refreshTokens} where hash = ${p('refresh')}::bytea)`,
            sql`${sessions.id} in (select session_id from ${accessTokens} where hash = ${p('access')}::bytea)`,
          ),
        ),
      )
      .returning({ id: sessions.id, owner: sessions.owner }),
  )

  return {
    insertSession,
    insertRefresh,
    insertAccess,
    findSessionOf,
    lockSessionOf,
    readRefresh,
    markPresented,
    revokeChild,
    endSession,
    endSessionsOf,
    endPresented,
  }
}

type NewSession = {
  id: string
  owner: string
  signedInAt: Date | null
  seconds: number
  idleSeconds: number
  ip: string
  userAgent: string
}
type NewRefresh = { hash: Buffer; sessionId: string; parentHash: Buffer | null }
type NewAccess = { hash: Buffer; sessionId: string; refreshHash: Buffer; seconds: number }
type SessionRow = { id: string; owner: string; over: boolean }
export type RefreshRow = {
  expired: boolean
  revoked: boolean
  presented: boolean
  justNow: boolean
  childHash: Buffer | null
  childPresented: boolean
}
