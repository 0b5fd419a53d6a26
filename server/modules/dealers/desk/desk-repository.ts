import type { DeskList } from '@keyturn/contract/dealers/dealer-desk.ts'
import type { DealerStepName } from '@keyturn/contract/deals/rules.ts'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Cursor, cursorTime } from '../../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { deskDeals } from './tables.ts'

/** A repeated delivery, or another event of the same deal, adds nothing. */
export const insertDeskDeal = prepareQuery(
  'insert-desk-deal',
  (db, p: Placeholders<{ packageId: string; car: string; vin: string }>) =>
    db.insert(deskDeals).values({ packageId: p.packageId, car: p.car, vin: p.vin }).onConflictDoNothing(),
)

type DeskState = { packageId: string; step: DealerStepName | null; stepAt: Date | null; isDone: boolean }

export async function saveDeskState(db: Db, { packageId, ...state }: DeskState): Promise<void> {
  await db.update(deskDeals).set(state).where(eq(deskDeals.packageId, packageId))
}

export const findDeskDeal = prepareQuery('find-desk-deal', (db, p: Placeholders<{ packageId: string }>) =>
  db.select().from(deskDeals).where(eq(deskDeals.packageId, p.packageId)),
)

type Page = { list: DeskList; limit: number; after: Cursor | null }

export function findDeskDeals(db: Db, { list, limit, after }: Page) {
  const isDone = list === 'done'
  const place = sql`(${deskDeals.receivedAt}, ${deskDeals.packageId})`
  const last = after && sql`(${after.at}::timestamptz, ${after.id}::char(24))`
  const order = isDone ? desc : asc
  return db
    .select({ deal: deskDeals, at: cursorTime(deskDeals.receivedAt) })
    .from(deskDeals)
    .where(
      and(
        eq(deskDeals.isDone, isDone),
        last ? (isDone ? sql`${place} < ${last}` : sql`${place} > ${last}`) : undefined,
      ),
    )
    .orderBy(order(deskDeals.receivedAt), order(deskDeals.packageId))
    .limit(limit)
}
