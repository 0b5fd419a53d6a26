import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../db/open.ts'
import { emailCodes, users } from '../tables.ts'

const p = sql.placeholder
const now = sql`keyturn_now()`
export type Purpose = 'verify' | 'reset' | 'login'

export const insertCode = prepared<NewCode, { expiresAt: Date }[]>('insert-code', (db) =>
  db
    .insert(emailCodes)
    .values({
      hash: sql`${p('hash')}`,
      userId: p('userId'),
      purpose: p('purpose'),
      address: p('address'),
      linkVin: p('linkVin'),
      linkUserId: p('linkUserId'),
      expiresAt: sql`${now} + ${p('seconds')}::int * interval '1 second'`,
    })
    .returning({ expiresAt: emailCodes.expiresAt }),
)
type NewCode = {
  hash: Buffer
  userId: string
  purpose: Purpose
  address: string
  linkVin: string | null
  linkUserId: string | null
  seconds: number
}

/** Only the newest code of a purpose is good; a used one is left as it is, so that it keeps its answer. */
export const supersedeCodes = (tx: Db, userId: string, purposes: Purpose[]) =>
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

/** Which car the newest link of an unverified person led to: the next link leads there too. After that links name no car. */
export const findLink = prepared<{ userId: string }, { vin: string | null; userId: string | null }[]>(
  'code-link',
  (db) =>
    db
      .select({ vin: emailCodes.linkVin, userId: emailCodes.linkUserId })
      .from(emailCodes)
      .innerJoin(users, and(eq(users.id, emailCodes.userId), isNull(users.verifiedAt)))
      .where(and(eq(emailCodes.userId, p('userId')), eq(emailCodes.purpose, 'verify')))
      .orderBy(sql`${emailCodes.createdAt} desc`)
      .limit(1),
)

/** A code that is neither expired nor replaced by a newer one; it may have been used. */
export const findGoodCode = prepared<{ hash: Buffer; purpose: Purpose }, GoodCode[]>('good-code', (db) =>
  db
    .select({ userId: emailCodes.userId, address: emailCodes.address, used: isUsed })
    .from(emailCodes)
    .innerJoin(users, eq(users.id, emailCodes.userId))
    .where(
      and(
        eq(emailCodes.hash, p('hash')),
        eq(emailCodes.purpose, p('purpose')),
        isNull(emailCodes.supersededAt),
        sql`${emailCodes.expiresAt} > ${now}`,
        isNull(users.deletedAt),
      ),
    ),
)
export type GoodCode = { userId: string; address: string; used: boolean }
const isUsed = sql<boolean>`${emailCodes.usedAt} is not null`

/** Only the first use gets a row back, however many come at once. */
export const spendCode = prepared<{ hash: Buffer }, { hash: Buffer }[]>('spend-code', (db) =>
  db
    .update(emailCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailCodes.hash, p('hash')),
        isNull(emailCodes.usedAt),
        isNull(emailCodes.supersededAt),
        sql`${emailCodes.expiresAt} > ${now}`,
      ),
    )
    .returning({ hash: emailCodes.hash }),
)
