import type { Scope } from '@keyturn/contract/shared/endpoint.ts'
import { and, count, desc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { personalTokens, users } from '../tables.ts'

/**
 * The hot path of every request with a token: one query over two unique keys. `isUseDue`: the
 * stored use is older than `useEveryMs`.
 */
export const findTokenOwner = prepareQuery(
  'find-token-owner',
  (db, p: Placeholders<{ hash: Buffer; useEveryMs: number }>) =>
    db
      .select({
        id: users.id,
        userType: users.userType,
        verified: sql<boolean>`${users.verifiedAt} is not null`,
        tokenId: personalTokens.id,
        scopes: personalTokens.scopes,
        isUseDue: sql<boolean>`${isUseDue(p.useEveryMs)}`,
      })
      .from(personalTokens)
      .innerJoin(users, eq(users.id, personalTokens.userId))
      .where(
        and(
          eq(personalTokens.hash, p.hash),
          isNull(personalTokens.revokedAt),
          sql`${personalTokens.expiresAt} > ${now}`,
          isNull(users.deletedAt),
          isNotNull(users.verifiedAt),
          isNull(users.suspendedAt),
        ),
      ),
)

/** Stores a use once for all processes that find it due. */
export const storeTokenUse = prepareQuery(
  'store-token-use',
  (db, p: Placeholders<{ id: string; network: string; useEveryMs: number }>) =>
    db
      .update(personalTokens)
      .set({ lastUsedAt: now, lastNetwork: sql`${p.network}` })
      .where(and(eq(personalTokens.id, p.id), isUseDue(p.useEveryMs))),
)

const isUseDue = (useEveryMs: Placeholders<{ useEveryMs: number }>['useEveryMs']) =>
  sql`coalesce(${personalTokens.lastUsedAt} < ${now} - ${useEveryMs}::int * interval '1 ms', true)`

const { hash: _, userId: __, revokedAt: ___, ...shownColumns } = getTableColumns(personalTokens)
const shown = { ...shownColumns, isExpired: sql<boolean>`${personalTokens.expiresAt} <= ${now}` }

export const findTokensOf = prepareQuery('find-tokens-of', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select(shown)
    .from(personalTokens)
    .where(and(eq(personalTokens.userId, p.userId), isNull(personalTokens.revokedAt)))
    .orderBy(desc(personalTokens.createdAt), desc(personalTokens.id)),
)

/** The caller holds the person's lock. */
export const countActiveTokens = prepareQuery(
  'count-active-tokens',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select({ active: count() })
      .from(personalTokens)
      .where(
        and(
          eq(personalTokens.userId, p.userId),
          isNull(personalTokens.revokedAt),
          sql`${personalTokens.expiresAt} > ${now}`,
        ),
      ),
)

export const insertToken = prepareQuery('insert-token', (db, p: Placeholders<NewToken>) =>
  db
    .insert(personalTokens)
    .values({
      id: p.id,
      userId: p.userId,
      name: p.name,
      hash: sql`${p.hash}`,
      start: p.start,
      scopes: sql`${p.scopes}::text[]`,
      expiresAt: sql`${now} + ${p.days}::int * interval '1 day'`,
    })
    .returning(shown),
)
type NewToken = {
  id: string
  userId: string
  name: string
  hash: Buffer
  start: string
  scopes: readonly Scope[]
  days: number
}

export const revokeTokenOf = prepareQuery(
  'revoke-token-of',
  (db, p: Placeholders<{ id: string; userId: string }>) =>
    db
      .update(personalTokens)
      .set({ revokedAt: now })
      .where(
        and(
          eq(personalTokens.id, p.id),
          eq(personalTokens.userId, p.userId),
          isNull(personalTokens.revokedAt),
        ),
      )
      .returning({ scopes: personalTokens.scopes }),
)

/** Revokes all tokens of a person. Returns how many were active. */
export const revokeTokensOf = prepareQuery('revoke-tokens-of', (db, p: Placeholders<{ userId: string }>) =>
  db
    .update(personalTokens)
    .set({ revokedAt: now })
    .where(and(eq(personalTokens.userId, p.userId), isNull(personalTokens.revokedAt)))
    .returning({ id: personalTokens.id }),
)

/** After a restore, a revoked token may be active again. */
export async function revokeAllTokens(tx: Db): Promise<void> {
  await tx.update(personalTokens).set({ revokedAt: now }).where(isNull(personalTokens.revokedAt))
}

export async function deleteTokensOf(tx: Db, userId: string): Promise<void> {
  await tx.delete(personalTokens).where(eq(personalTokens.userId, userId))
}
