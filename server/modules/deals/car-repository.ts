import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { nextVersion, now } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open.ts'
import { type Placeholders, prepared } from '../../platform/database/prepared.ts'
import { cars } from '../cars/tables.ts'
import { isPending, isReserved, notWithdrawn } from './states.ts'
import { deals } from './tables.ts'

// What this room changes in a car's row: only its deals tell whether that may be.

export async function saveCar(tx: Db, id: string, changes: PgUpdateSetSource<typeof cars>): Promise<void> {
  await tx
    .update(cars)
    .set({ ...changes, version: nextVersion })
    .where(eq(cars.id, id))
}

/** The car's terms have changed: every signature on the old ones is void from here on. */
export const newCarTerms = { termsVersion: sql`${cars.termsVersion} + 1`, termsAt: now }

/**
 * Sets the price of a car that the caller has locked, unless a buyer is accepted or a request is newer than the version
 * `seen`. Answers what has changed in the row and how many requests wait on it; nothing where the price may not be set.
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
        // How many have a pending request, and how many have the car before their eyes at all. Columns are named behind
        // their tables: alone, drizzle leaves the tables out of what a change answers.
        buyers: sql<
          [pending: number, all: number]
        >`(select array[count(*) filter (where ${isPending}), count(*)]::int[]
          from ${deals} where ${deals}.car_id = ${cars}.id and ${notWithdrawn})`,
      }),
)
