import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { nextVersion, now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepared } from '../../../platform/database/prepared.ts'
import { cars } from '../../cars/tables.ts'
import { isPending, isReserved, notWithdrawn } from '../states.ts'
import { deals } from '../tables.ts'

// Changes to a car's row that depend on its deals.

export async function saveCar(tx: Db, id: string, changes: PgUpdateSetSource<typeof cars>): Promise<void> {
  await tx
    .update(cars)
    .set({ ...changes, version: nextVersion })
    .where(eq(cars.id, id))
}

/** Bumps the car's terms version, which voids every signature on the old terms. */
export const newCarTerms = { termsVersion: sql`${cars.termsVersion} + 1`, termsAt: now }

/**
 * Sets the price of a car locked by the caller. Does nothing when a buyer is confirmed or a request
 * is newer than version `seen`. Returns the changed columns and the number of pending requests, or
 * no row.
 */
export const setPrice = prepared(
  'set-price',
  (db, p: Placeholders<{ carId: string; priceCents: number; seen: number }>) =>
    db
      .update(cars)
      .set({ priceCents: sql`${p.priceCents}`, ...newCarTerms, version: nextVersion })
      .where(
        and(
          eq(cars.id, p.carId),
          sql`not exists (select 1 from ${deals} where ${deals.carId} = ${cars.id}
            and (${isReserved} and ${notWithdrawn} or ${deals.status} <> 'STARTED' and ${deals.version} > ${p.seen}))`,
        ),
      )
      .returning({
        priceCents: cars.priceCents,
        version: cars.version,
        // Counts pending and all active deals. Columns carry their table names because drizzle
        // omits them in RETURNING.
        buyers: sql<
          [pending: number, all: number]
        >`(select array[count(*) filter (where ${isPending}), count(*)]::int[]
          from ${deals} where ${deals}.car_id = ${cars}.id and ${notWithdrawn})`,
      }),
)
