import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Cursor, cursorTime } from '../../../platform/database/pagination.ts'
import { users } from '../../accounts/tables.ts'
import { cars } from '../../cars/tables.ts'
import { trades } from '../../trades/tables.ts'
import { isNotWithdrawn } from '../state-sql.ts'
import { deals, dealTrades } from '../tables.ts'

const seller = alias(users, 'seller')
const buyer = alias(users, 'buyer')

/**
 * Lists fully signed deals, newest first: names and the car, but no signature, price or address
 * (R-deals-45).
 */
export const findSoldCars = (db: Db, limit: number, after: Cursor | null) =>
  db
    .select({
      id: deals.id,
      sellerId: deals.sellerId,
      sellerFirstName: seller.firstName,
      sellerLastName: seller.lastName,
      buyerId: deals.buyerId,
      buyerFirstName: buyer.firstName,
      buyerLastName: buyer.lastName,
      vin: cars.vin,
      make: cars.make,
      model: cars.model,
      year: cars.year,
      status: deals.status,
      at: cursorTime(deals.passedAt),
      tradeVins: sql<
        string[]
      >`array(select ${trades.vin} from ${dealTrades} join ${trades} on ${trades.id} = ${dealTrades.tradeId}
        where ${dealTrades.dealId} = ${deals.id} order by ${trades.createdAt})`,
    })
    .from(deals)
    .innerJoin(cars, eq(cars.id, deals.carId))
    .innerJoin(seller, eq(seller.id, deals.sellerId))
    .innerJoin(buyer, eq(buyer.id, deals.buyerId))
    .where(
      and(
        isNotNull(deals.passedAt),
        // A deal canceled by its dealer is not sold.
        isNotWithdrawn,
        after
          ? sql`(${deals.passedAt}, ${deals.id}) < (${after.at}::timestamptz, ${after.id}::char(24))`
          : undefined,
      ),
    )
    .orderBy(desc(deals.passedAt), desc(deals.id))
    .limit(limit)
export type SoldRow = Awaited<ReturnType<typeof findSoldCars>>[number]
