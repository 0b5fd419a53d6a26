import type { DeliveryState } from '@keyturn/contract/deals/rules.ts'
import { and, desc, eq, sql } from 'drizzle-orm'
import { now, pickColumns } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Cursor, cursorTime } from '../../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { cars } from '../../cars/tables.ts'
import { deals } from '../../deals/tables.ts'
import { dealers, deliveries, deliveryTries } from '../tables.ts'

type Try = { at: string; ms: number; status: number | null; because: string | null }

const listedDeliveries = (db: Db) =>
  db
    .select({
      ...pickColumns(deliveries, 'id', 'kind', 'way', 'state', 'createdAt', 'nextTryAt'),
      digest: deliveries.payloadDigest,
      counted: deliveries.tries,
      at: cursorTime(deliveries.createdAt),
      dealerName: dealers.name,
      packageId: deals.packageId,
      car: pickColumns(cars, 'year', 'make', 'model', 'trim'),
      tries: sql<
        Try[]
      >`(select coalesce(json_agg(json_build_object('at', one.at, 'ms', one.ms, 'status', one.status,
          'because', one.because) order by one.number desc), '[]')
        from ${deliveryTries} one where one.delivery_id = ${deliveries.id})`,
    })
    .from(deliveries)
    .innerJoin(dealers, eq(dealers.id, deliveries.dealerId))
    .leftJoin(deals, eq(deals.id, deliveries.dealId))
    .leftJoin(cars, eq(cars.id, deals.carId))
export type ListedDelivery = Awaited<ReturnType<typeof listedDeliveries>>[number]

type Wanted = { limit: number; after: Cursor | null; state: DeliveryState | null }

export const findDeliveries = (db: Db, { limit, after, state }: Wanted): Promise<ListedDelivery[]> =>
  listedDeliveries(db)
    .where(
      and(
        state ? eq(deliveries.state, state) : undefined,
        after
          ? sql`(${deliveries.createdAt}, ${deliveries.id}) < (${after.at}::timestamptz, ${after.id}::char(24))`
          : undefined,
      ),
    )
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(limit)

export const findListedDelivery = prepareQuery(
  'find-listed-delivery',
  (db, p: Placeholders<{ id: string }>) => listedDeliveries(db).where(eq(deliveries.id, p.id)),
)

export const readDatabaseTime = prepareQuery('read-database-time', (db) =>
  db.select({ now }).from(sql`(select 1) as one`),
)
