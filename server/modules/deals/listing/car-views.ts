import { and, desc, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open.ts'
import { type Cursor, cursorTime } from '../../../platform/database/page.ts'
import { type Placeholders, prepared, type RowOf } from '../../../platform/database/prepared.ts'
import { users } from '../../accounts/tables.ts'
import { cars } from '../../cars/tables.ts'
import {
  dealerNameOf,
  hasSigned,
  intendedFirst,
  isActiveRequest,
  isPending,
  notWithdrawn,
  wasCalledOff,
} from '../states.ts'
import { dealEvents, deals } from '../tables.ts'
import { newMessagesOnCar } from '../unseen-messages.ts'

// A seller's cars, each joined with the deal its row shows.

const intendedOfCar = (db: Db) =>
  db
    .select({
      id: deals.id,
      buyerId: deals.buyerId,
      status: deals.status,
      version: deals.version,
      termsVersion: deals.termsVersion,
      priceCents: deals.priceCents,
      exclusiveUntil: deals.exclusiveUntil,
      lapsedAt: deals.lapsedAt,
      passedAt: deals.passedAt,
      dealerId: deals.dealerId,
    })
    .from(deals)
    .where(and(eq(deals.carId, cars.id), notWithdrawn, isActiveRequest))
    .orderBy(...intendedFirst)
    .limit(1)
    .as('intended_deal')

/** Includes ended requests: they too are news to a seller who has not read them. */
const newestRequest = sql<number>`coalesce((select max(${deals.version}) from ${deals}
  where ${deals.carId} = ${cars.id} and ${deals.status} <> 'STARTED'), 0)`.mapWith(Number)

const sellerCarQuery = (db: Db) => {
  const deal = intendedOfCar(db)
  return db
    .select({
      car: cars,
      deal: { buyerId: deal.buyerId, status: deal.status, version: deal.version },
      newestRequest,
      at: cursorTime(cars.createdAt),
    })
    .from(cars)
    .leftJoinLateral(deal, sql`true`)
}

export type SellerCar = Awaited<ReturnType<typeof sellerCarQuery>>[number]

const ofWaiting = (value: SQLWrapper) =>
  sql`(select ${value} from ${deals} where ${deals.carId} = ${cars.id} and ${notWithdrawn} and ${isPending})`

type CalledOff = {
  id: string
  buyerId: string
  firstName: string
  lastName: string
  at: string
  facts: unknown
}

/**
 * Deals canceled by the dealer after both signed. The seller sees the reason while the car is
 * theirs (R-deals-76).
 */
const calledOff = sql<
  CalledOff[]
>`(select coalesce(json_agg(json_build_object('id', ${deals.id}, 'buyerId', ${deals.buyerId},
    'firstName', ${users.firstName}, 'lastName', ${users.lastName}, 'at', ${deals.withdrawnAt}, 'facts', ${dealEvents.facts})
    order by ${deals.withdrawnAt} desc), '[]')
  from ${deals} join ${users} on ${users.id} = ${deals.buyerId}
    join ${dealEvents} on ${dealEvents.dealId} = ${deals.id} and ${dealEvents.event} = 'dealerCancelled'
  where ${deals.carId} = ${cars.id} and ${wasCalledOff})`

/** A seller's dashboard, newest first, with the deal data of each row. */
export const findCarsOfSeller = prepared('cars-of-seller', (db, p: Placeholders<{ sellerId: string }>) => {
  const intended = intendedOfCar(db)
  const { id, termsVersion, dealerId } = intended
  return db
    .select({
      car: cars,
      deal: {
        buyerId: intended.buyerId,
        status: intended.status,
        version: intended.version,
        priceCents: intended.priceCents,
        exclusiveUntil: intended.exclusiveUntil,
        lapsedAt: intended.lapsedAt,
        passedAt: intended.passedAt,
      },
      newestRequest,
      newMessages: newMessagesOnCar(cars.id, p.sellerId),
      calledOff,
      dealerName: dealerNameOf(dealerId),
      signed: { seller: hasSigned('SELLER', id, termsVersion), buyer: hasSigned('BUYER', id, termsVersion) },
      waiting: {
        count: ofWaiting(sql`count(*)`).mapWith(Number),
        best: ofWaiting(sql`max(${deals.priceCents})`).mapWith(Number),
      },
    })
    .from(cars)
    .leftJoinLateral(intended, sql`true`)
    .where(and(eq(cars.sellerId, p.sellerId), isNull(cars.deletedAt)))
    .orderBy(desc(cars.createdAt), desc(cars.id))
})

export type SellerRow = RowOf<typeof findCarsOfSeller>

export const findSellerCar = prepared('seller-car', (db, p: Placeholders<{ id: string }>) =>
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
