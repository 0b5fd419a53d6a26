import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Cursor, cursorTime } from '../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { intendedFirst, isActiveRequest, isNotWithdrawn, isPaused } from '../deals/state-sql.ts'
import { deals, openProposal } from '../deals/tables.ts'
import { cars } from './tables.ts'

// A seller's cars, each joined with the deal its row shows.

export const intendedDealQuery = (db: Db) =>
  db
    .select({
      id: deals.id,
      buyerId: deals.buyerId,
      status: deals.status,
      version: deals.version,
      termsVersion: deals.termsVersion,
      priceCents: deals.priceCents,
      proposal: openProposal.as('proposal'),
      exclusiveUntil: deals.exclusiveUntil,
      lapsedAt: deals.lapsedAt,
      passedAt: deals.passedAt,
      dealerId: deals.dealerId,
      isPaused: isPaused.as('is_paused'),
    })
    .from(deals)
    .where(and(eq(deals.carId, cars.id), isNotWithdrawn, isActiveRequest))
    .orderBy(...intendedFirst)
    .limit(1)
    .as('intended_deal')
/** Includes ended requests: they too are news to a seller who has not read them. */
export const newestRequestVersionSql = sql<number>`coalesce((select max(${deals.version}) from ${deals}
  where ${deals.carId} = ${cars.id} and ${deals.status} <> 'STARTED'), 0)`.mapWith(Number)
const sellerCarQuery = (db: Db) => {
  const deal = intendedDealQuery(db)
  return db
    .select({
      car: cars,
      deal: { buyerId: deal.buyerId, status: deal.status, version: deal.version },
      newestRequest: newestRequestVersionSql,
      at: cursorTime(cars.createdAt),
    })
    .from(cars)
    .leftJoinLateral(deal, sql`true`)
}

export type SellerCar = Awaited<ReturnType<typeof sellerCarQuery>>[number]
export const findSellerCar = prepareQuery('find-seller-car', (db, p: Placeholders<{ id: string }>) =>
  sellerCarQuery(db).where(eq(cars.id, p.id)),
)
/** `withHidden`: also the cars of suspended sellers. */
export const findAllCars = (
  db: Db,
  limit: number,
  after: Cursor | null,
  withHidden: boolean,
): Promise<SellerCar[]> =>
  sellerCarQuery(db)
    .where(
      and(
        isNull(cars.deletedAt),
        withHidden ? undefined : sql`not is_suspended(${cars.sellerId})`,
        after
          ? sql`(${cars.createdAt}, ${cars.id}) < (${after.at}::timestamptz, ${after.id}::char(24))`
          : undefined,
      ),
    )
    .orderBy(desc(cars.createdAt), desc(cars.id))
    .limit(limit)
