import { and, eq, isNull, ne, type Placeholder, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { adminSessionTables, type SessionTables, userSessionTables } from '../tables.ts'

const inSeconds = (seconds: Placeholder) => sql`${now} + ${seconds}::int * interval '1 second'`

const { sessions: ofPeople, refreshTokens: refreshTokensOfPeople } = userSessionTables

/** When a session began with the password or a passkey; null if with a link from an email. */
export const authenticatedAt = sql<Date | null>`nullif(${ofPeople.signedInAt}, 'epoch')`.mapWith(
  ofPeople.signedInAt,
)

/** An idle session whose refresh tokens have expired cannot be used, although it has not ended. */
export const isActive = sql<boolean>`(${ofPeople.endedAt} is null and ${ofPeople.expiresAt} > ${now}
  and exists (select 1 from ${refreshTokensOfPeople} where ${refreshTokensOfPeople.sessionId} = ${ofPeople.id}
    and ${refreshTokensOfPeople.expiresAt} > ${now} and ${refreshTokensOfPeople.revokedAt} is null))`

/** Why a session ended; its refresh token then learns the reason of the suspension. */
export const endedBySuspension = 'account suspended'

export type SessionStore = ReturnType<typeof sessionStore>
export const userSessions = sessionStore('user', userSessionTables)
export const adminSessions = sessionStore('admin', adminSessionTables)

function sessionStore(name: string, { sessions, refreshTokens, accessTokens }: SessionTables) {
  const insertSession = prepareQuery(`${name}-insert-session`, (db, p: Placeholders<NewSession>) =>
    db.insert(sessions).values({
      id: p.id,
      owner: p.owner,
      signedInAt: sql`coalesce(${p.signedInAt}::timestamptz, ${now})`,
      expiresAt: inSeconds(p.seconds),
      idleSeconds: p.idleSeconds,
      ip: p.ip,
      userAgent: p.userAgent,
      timeZone: p.timeZone,
      withPasskey: sql`${p.withPasskey}`,
    }),
  )

  /** A refresh token lives for the idle time, and never longer than its session. */
  const insertRefresh = prepareQuery(`${name}-insert-refresh`, (db, p: Placeholders<NewRefresh>) =>
    db.insert(refreshTokens).values({
      hash: p.hash,
      sessionId: p.sessionId,
      parentHash: p.parentHash,
      expiresAt: sql`(select least(${sessions.expiresAt}, ${now} + ${sessions.idleSeconds} * interval '1 second')
        from ${sessions} where ${sessions.id} = ${p.sessionId}::char(24))`,
    }),
  )

  const insertAccess = prepareQuery(`${name}-insert-access`, (db, p: Placeholders<NewAccess>) =>
    db.insert(accessTokens).values({
      hash: p.hash,
      sessionId: p.sessionId,
      refreshHash: p.refreshHash,
      expiresAt: inSeconds(p.seconds),
    }),
  )

  const findSessionOf = prepareQuery(`${name}-find-session`, (db, p: Placeholders<{ hash: Buffer }>) =>
    db.select({ id: refreshTokens.sessionId }).from(refreshTokens).where(eq(refreshTokens.hash, p.hash)),
  )

  /**
   * Locks the session. The refresh token is read by a second statement, because the snapshot of
   * this one is older than its wait for the lock.
   */
  const lockSessionOf = prepareQuery(`${name}-lock-session`, (db, p: Placeholders<{ hash: Buffer }>) =>
    db
      .select({
        id: sessions.id,
        owner: sessions.owner,
        over: sql<boolean>`(${sessions.endedAt} is not null or ${sessions.expiresAt} <= ${now})`,
        isSuspended: sql<boolean>`coalesce(${sessions.endedBecause} = ${sql.raw(`'${endedBySuspension}'`)}, false)`,
      })
      .from(sessions)
      .where(
        eq(
          sessions.id,
          db
            .select({ id: refreshTokens.sessionId })
            .from(refreshTokens)
            .where(eq(refreshTokens.hash, p.hash)),
        ),
      )
      .for('update'),
  )

  const child = sql`child`
  const readRefresh = prepareQuery(
    `${name}-read-refresh`,
    (db, p: Placeholders<{ hash: Buffer; graceSeconds: number }>) =>
      db
        .select({
          expired: sql<boolean>`${refreshTokens.expiresAt} <= ${now}`,
          revoked: sql<boolean>`${refreshTokens.revokedAt} is not null`,
          justNow: sql<boolean>`coalesce(${refreshTokens.presentedAt} > ${now} - ${p.graceSeconds}::int * interval '1 second', false)`,
          childHash: sql<Buffer | null>`${child}.hash`,
          childPresented: sql<boolean>`coalesce(${child}.presented_at is not null, false)`,
        })
        .from(refreshTokens)
        .leftJoin(
          sql`${refreshTokens} as ${child}`,
          sql`${child}.parent_hash = ${refreshTokens.hash} and ${child}.revoked_at is null`,
        )
        .where(eq(refreshTokens.hash, p.hash)),
  )

  const markPresented = prepareQuery(`${name}-mark-presented`, (db, p: Placeholders<{ hash: Buffer }>) =>
    db.update(refreshTokens).set({ presentedAt: now }).where(eq(refreshTokens.hash, p.hash)),
  )

  /** Revokes a child that was never used, and the access token issued with it. */
  async function revokeChild(tx: Db, hash: Buffer): Promise<void> {
    await tx.update(refreshTokens).set({ revokedAt: now }).where(eq(refreshTokens.hash, hash))
    await tx.delete(accessTokens).where(eq(accessTokens.refreshHash, hash))
  }

  const endSession = (tx: Db, id: string, because: string) =>
    tx.update(sessions).set({ endedAt: now, endedBecause: because }).where(eq(sessions.id, id))

  const endSessionsOf = (tx: Db, owner: string, because: string) =>
    tx
      .update(sessions)
      .set({ endedAt: now, endedBecause: because })
      .where(and(eq(sessions.owner, owner), isNull(sessions.endedAt)))

  /** Ends all sessions of the owner but this one. */
  const endOtherSessionsOf = prepareQuery(
    `${name}-end-other-sessions`,
    (db, p: Placeholders<{ owner: string; sessionId: string; because: string }>) =>
      db
        .update(sessions)
        .set({ endedAt: now, endedBecause: sql`${p.because}` })
        .where(and(eq(sessions.owner, p.owner), ne(sessions.id, p.sessionId), isNull(sessions.endedAt)))
        .returning({ id: sessions.id }),
  )

  const endAllSessions = (tx: Db, because: string) =>
    tx.update(sessions).set({ endedAt: now, endedBecause: because }).where(isNull(sessions.endedAt))

  /** The password was entered again: the session counts as freshly signed in. */
  const markConfirmed = prepareQuery(`${name}-mark-confirmed`, (db, p: Placeholders<{ id: string }>) =>
    db.update(sessions).set({ signedInAt: now }).where(eq(sessions.id, p.id)),
  )

  const isPresented = (p: Placeholders<Presented>) =>
    and(
      isNull(sessions.endedAt),
      sql`${sessions.id} in (select ${refreshTokens.sessionId} from ${refreshTokens} where ${refreshTokens.hash} = ${p.refresh}::bytea
        union select ${accessTokens.sessionId} from ${accessTokens} where ${accessTokens.hash} = ${p.access}::bytea)`,
    )

  const findPresented = prepareQuery(
    `${name}-find-presented`,
    (db, p: Placeholders<Presented & { owner: string }>) =>
      db
        .select({ id: sessions.id })
        .from(sessions)
        .where(and(eq(sessions.owner, p.owner), isPresented(p))),
  )

  /** Ends the session of these tokens, if at least one of them is valid. */
  const endPresented = prepareQuery(
    `${name}-end-presented`,
    (db, p: Placeholders<Presented & { because: string }>) =>
      db
        .update(sessions)
        .set({ endedAt: now, endedBecause: sql`${p.because}` })
        .where(isPresented(p))
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
    endOtherSessionsOf,
    endAllSessions,
    markConfirmed,
    findPresented,
    endPresented,
  }
}

type Presented = { access: Buffer | null; refresh: Buffer | null }
type NewSession = {
  id: string
  owner: string
  signedInAt: Date | null
  seconds: number
  idleSeconds: number
  ip: string
  userAgent: string
  timeZone: string | null
  withPasskey: boolean
}
type NewRefresh = { hash: Buffer; sessionId: string; parentHash: Buffer | null }
type NewAccess = { hash: Buffer; sessionId: string; refreshHash: Buffer; seconds: number }
export type RefreshRow = RowOf<SessionStore['readRefresh']>

/** Whether a session of a person has not been ended. */
export const findActiveSession = prepareQuery(
  'find-active-session',
  (db, p: Placeholders<{ sessionId: string }>) =>
    db
      .select({ id: ofPeople.id })
      .from(ofPeople)
      .where(and(eq(ofPeople.id, p.sessionId), isNull(ofPeople.endedAt))),
)
