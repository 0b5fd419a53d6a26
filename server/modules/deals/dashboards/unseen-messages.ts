import { and, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { dealMessages, isUnseen } from '../../messages/tables.ts'
import { deals } from '../tables.ts'

// Messages from the other party of a deal that a person has not been shown yet (R-deals-85).

export const newMessageCountSql = (dealId: SQLWrapper, personId: SQLWrapper) =>
  sql<number>`(select count(*)::int from ${dealMessages} where ${dealMessages.dealId} = ${dealId} and ${isUnseen(personId)})`

export const newMessageCountOnCarSql = (carId: SQLWrapper, sellerId: SQLWrapper) =>
  sql<number>`(select count(*)::int from ${deals} join ${dealMessages} on ${dealMessages.dealId} = ${deals.id}
    where ${deals.carId} = ${carId} and ${deals.withdrawnAt} is null and ${isUnseen(sellerId)})`

export const findUnseenOnCar = prepareQuery(
  'find-unseen-on-car',
  (db, p: Placeholders<{ carId: string; personId: string }>) =>
    db
      .select({ dealId: dealMessages.dealId, count: sql<number>`count(*)::int` })
      .from(deals)
      .innerJoin(dealMessages, eq(dealMessages.dealId, deals.id))
      .where(and(eq(deals.carId, p.carId), isNull(deals.withdrawnAt), isUnseen(p.personId)))
      .groupBy(dealMessages.dealId),
)
