import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { cars } from '../cars/tables.ts'
import type { Db } from '../db/open.ts'
import { type Cursor, placeAt } from '../db/page.ts'
import { type Given, prepared } from '../db/prepared.ts'
import { intendedFirst, isStanding, notWithdrawn } from './states.ts'
import { deals } from './tables.ts'

// The cars of a seller, each with the deal that its row is about.

const intendedOfCar = (db: Db) =>
  db
    .select({
      buyerId: deals.buyerId,
      status: deals.status,
      version: deals.version,
    })
    .from(deals)
    .where(and(eq(deals.carId, cars.id), notWithdrawn, isStanding))
    .orderBy(...intendedFirst)
    .limit(1)
    .as('intended_deal')

/** Of every request that there ever was: also one that has ended is news to a seller who has not read so. */
const newestRequest = sql<number>`coalesce((select max(${deals.version}) from ${deals}
  where ${deals.carId} = ${cars.id} and ${deals.status} <> 'STARTED'), 0)`.mapWith(Number)

const sellerCarQuery = (db: Db) => {
  const deal = intendedOfCar(db)
  return db
    .select({
      car: cars,
      deal: { buyerId: deal.buyerId, status: deal.status, version: deal.version },
      newestRequest,
      at: placeAt(cars.createdAt),
    })
    .from(cars)
    .leftJoinLateral(deal, sql`true`)
}
export type SellerCar = Awaited<ReturnType<typeof sellerCarQuery>>[number]

export const findCarsOfSeller = prepared('cars-of-seller', (db, p: Given<{ sellerId: string }>) =>
  sellerCarQuery(db)
    .where(and(eq(cars.sellerId, p.sellerId), isNull(cars.deletedAt)))
    .orderBy(desc(cars.createdAt), desc(cars.id)),
)

export const findSellerCar = prepared('seller-car', (db, p: Given<{ id: string }>) =>
  sellerCarQuery(db).where(eq(cars.id, p.id)),
)

export const findAllCars = (db: Db, limit: number, after: Cursor | null): Promise<SellerCar[]> =>
  sellerCarQuery(db)
    .where(
      and(
        isNull(cars.deletedAt),
        after
          ? sql`(${cars.createdAt}, ${cars.id}) < (${after.at}::timestamptz, ${after.id}::char(24))`
          : undefined,
      ),
    )
    .orderBy(desc(cars.createdAt), desc(cars.id))
    .limit(limit)
