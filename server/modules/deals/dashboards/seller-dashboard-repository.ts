import { and, desc, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { users } from '../../accounts/tables.ts'
import { intendedDealQuery, newestRequestVersionSql } from '../../cars/seller-car-repository.ts'
import { cars } from '../../cars/tables.ts'
import {
  dealerEventsSql,
  dealerNameSql,
  hasSigned,
  isNotWithdrawn,
  isPaused,
  isPending,
  wasCalledOff,
} from '../state-sql.ts'
import { dealEvents, deals } from '../tables.ts'
import { newMessageCountOnCarSql } from './unseen-messages.ts'

const ofRequests = (value: SQLWrapper, state: SQLWrapper) =>
  sql`(select ${value} from ${deals} where ${deals.carId} = ${cars.id} and ${isNotWithdrawn} and ${state})`
/** The seller can confirm it, or propose another price. */
const isAnswerable = sql`${isPending} and not ${isPaused}`
const isDenied = sql`${deals.status} = 'REJECTED'`

type CalledOff = {
  id: string
  buyerId: string
  firstName: string
  lastName: string
  at: string
  facts: unknown
}

/**
 * Deals that the dealer canceled after both parties had signed. The seller sees the reason as long
 * as they own the car (R-deals-76).
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
export const findCarsOfSeller = prepareQuery(
  'find-cars-of-seller',
  (db, p: Placeholders<{ sellerId: string }>) => {
    const intended = intendedDealQuery(db)
    const { id, termsVersion, dealerId } = intended
    return db
      .select({
        car: cars,
        deal: {
          buyerId: intended.buyerId,
          status: intended.status,
          version: intended.version,
          priceCents: intended.priceCents,
          proposal: intended.proposal,
          exclusiveUntil: intended.exclusiveUntil,
          lapsedAt: intended.lapsedAt,
          passedAt: intended.passedAt,
        },
        isPaused: intended.isPaused,
        newestRequest: newestRequestVersionSql,
        newMessages: newMessageCountOnCarSql(cars.id, p.sellerId),
        calledOff,
        dealerName: dealerNameSql(dealerId),
        dealerEvents: dealerEventsSql(id, intended.passedAt),
        signed: {
          seller: hasSigned('SELLER', id, termsVersion),
          buyer: hasSigned('BUYER', id, termsVersion),
        },
        waiting: {
          count: ofRequests(sql`count(*)`, isAnswerable).mapWith(Number),
          best: ofRequests(sql`max(${deals.priceCents})`, isAnswerable).mapWith(Number),
        },
        deniedRequests: ofRequests(sql`count(*)`, isDenied).mapWith(Number),
      })
      .from(cars)
      .leftJoinLateral(intended, sql`true`)
      .where(and(eq(cars.sellerId, p.sellerId), isNull(cars.deletedAt)))
      .orderBy(desc(cars.createdAt), desc(cars.id))
  },
)

export type SellerRow = RowOf<typeof findCarsOfSeller>
