import type { ContactLook } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { and, desc, eq, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Config } from '../../config.ts'
import { pickColumns } from '../../platform/database/columns.ts'
import { cursorTime, isAfterCursor } from '../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import type { LookSource } from '../accounts/privacy/look-sources.ts'
import { users } from '../accounts/tables.ts'
import { cars } from '../cars/tables.ts'
import { dealerNameSql } from './state-sql.ts'
import { deals } from './tables.ts'

const seller = alias(users, 'seller')
const buyer = alias(users, 'buyer')
const names = ['firstName', 'lastName'] as const

type Page = { personId: string; limit: number; afterAt: string | null; afterId: string | null }
const findReaders = prepareQuery('find-contact-data-readers', (db, p: Placeholders<Page>) =>
  db
    .select({
      id: deals.id,
      placeAt: cursorTime(deals.createdAt),
      isSeller: sql<boolean>`${deals.sellerId} = ${p.personId}`,
      startedAt: deals.createdAt,
      requestedAt: deals.requestedAt,
      passedAt: deals.passedAt,
      dealer: dealerNameSql(deals.dealerId),
      car: pickColumns(cars, 'year', 'make', 'model'),
      seller: pickColumns(seller, ...names),
      buyer: pickColumns(buyer, ...names),
    })
    .from(deals)
    .innerJoin(cars, eq(cars.id, deals.carId))
    .innerJoin(seller, eq(seller.id, deals.sellerId))
    .innerJoin(buyer, eq(buyer.id, deals.buyerId))
    .where(
      and(
        or(eq(deals.sellerId, p.personId), eq(deals.buyerId, p.personId)),
        isAfterCursor(deals.createdAt, deals.id, p),
      ),
    )
    .orderBy(desc(deals.createdAt), desc(deals.id))
    .limit(p.limit),
)

/**
 * The other parties of a person's deals, who can read their contact data from the time of the
 * request, and dealers, who get it with the signed deal (R-accounts-52). A buyer reads the seller's
 * from the start, but the seller does not learn their name before the request.
 */
export const listContactDataReaders: LookSource = async ({ db, config }, personId, { limit, before }) => {
  const page = { personId, limit, afterAt: before?.at ?? null, afterId: before?.id ?? null }
  return (await findReaders(db, page)).map((row) => ({
    place: { at: row.placeAt, id: row.id },
    looks: looksOf(row, config),
  }))
}

function looksOf(row: RowOf<typeof findReaders>, { dealer }: Config): ContactLook[] {
  const car = carName({ ...row.car, carModel: row.car.model })
  const other = row.isSeller ? row.buyer : row.seller
  const who = row.isSeller && !row.requestedAt ? 'Someone who started to buy' : fullName(other)
  const at = row.isSeller ? (row.requestedAt ?? row.startedAt) : row.requestedAt
  return [
    ...(row.passedAt
      ? [{ kind: 'dealer', who: row.dealer ?? dealer.name, car, at: row.passedAt.toISOString() } as const]
      : []),
    ...(at ? [{ kind: 'party', who, car, at: at.toISOString() } as const] : []),
  ]
}
