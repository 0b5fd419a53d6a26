import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { emailCodes, users } from '../tables.ts'

export type CodePurpose = 'verify' | 'reset' | 'login'

export const voidAllCodes = (tx: Db) =>
  tx.update(emailCodes).set({ supersededAt: now }).where(isNull(emailCodes.supersededAt))

export const insertCode = prepareQuery('insert-code', (db, p: Placeholders<NewCode>) =>
  db
    .insert(emailCodes)
    .values({
      hash: sql`${p.hash}`,
      userId: p.userId,
      purpose: p.purpose,
      address: p.address,
      linkVin: p.linkVin,
      linkUserId: p.linkUserId,
      expiresAt: sql`${now} + ${p.seconds}::int * interval '1 second'`,
    })
    .returning({ expiresAt: emailCodes.expiresAt }),
)
type NewCode = {
  hash: Buffer
  userId: string
  purpose: CodePurpose
  address: string
  linkVin: string | null
  linkUserId: string | null
  seconds: number
}

/**
 * Only the newest code of a purpose is valid. A used code is not superseded, so that its response
 * can be repeated.
 */
export const voidCodes = (tx: Db, userId: string, purposes: CodePurpose[]) =>
  tx
    .update(emailCodes)
    .set({ supersededAt: now })
    .where(
      and(
        eq(emailCodes.userId, userId),
        inArray(emailCodes.purpose, purposes),
        isNull(emailCodes.supersededAt),
        isNull(emailCodes.usedAt),
      ),
    )

/** Finds the car of the newest link, for the next link; nothing once the person is verified. */
export const findLinkedCar = prepareQuery('find-linked-car', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select({ vin: emailCodes.linkVin, userId: emailCodes.linkUserId })
    .from(emailCodes)
    .innerJoin(users, and(eq(users.id, emailCodes.userId), isNull(users.verifiedAt)))
    .where(and(eq(emailCodes.userId, p.userId), eq(emailCodes.purpose, 'verify')))
    .orderBy(sql`${emailCodes.createdAt} desc`)
    .limit(1),
)

/**
 * Finds a code that has neither expired nor been replaced. It may already have been used, and its
 * user may have been deleted.
 */
export const findValidCode = prepareQuery(
  'find-valid-code',
  (db, p: Placeholders<{ hash: Buffer; purpose: CodePurpose }>) =>
    db
      .select({ userId: emailCodes.userId, address: emailCodes.address, used: isUsed })
      .from(emailCodes)
      .where(
        and(
          eq(emailCodes.hash, p.hash),
          eq(emailCodes.purpose, p.purpose),
          isNull(emailCodes.supersededAt),
          sql`${emailCodes.expiresAt} > ${now}`,
        ),
      ),
)
const isUsed = sql<boolean>`${emailCodes.usedAt} is not null`

/** Returns a row only for the first use, even if several requests are concurrent. */
export const markCodeUsed = prepareQuery('mark-code-used', (db, p: Placeholders<{ hash: Buffer }>) =>
  db
    .update(emailCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailCodes.hash, p.hash),
        isNull(emailCodes.usedAt),
        isNull(emailCodes.supersededAt),
        sql`${emailCodes.expiresAt} > ${now}`,
      ),
    )
    .returning({ hash: emailCodes.hash }),
)
