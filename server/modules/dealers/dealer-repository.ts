import { asc, eq, sql } from 'drizzle-orm'
import { nextVersion } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import { dealerAreas, dealers, deliveries } from './tables.ts'

export const findDealer = prepareQuery('find-dealer', (db, p: Placeholders<{ id: string }>) =>
  db.select().from(dealers).where(eq(dealers.id, p.id)),
)

/** Dealers with their areas and parked deliveries, the default dealer first, then oldest first. */
export const findDealers = prepareQuery('find-dealers', (db) =>
  db
    .select({
      dealer: dealers,
      areas: sql<{ first: number; last: number }[]>`(
        select coalesce(json_agg(json_build_object('first', first_zip, 'last', last_zip) order by first_zip, last_zip), '[]')
        from ${dealerAreas} where dealer_areas.dealer_id = dealers.id)`,
      parked: sql<number>`(select count(*)::int from ${deliveries} where deliveries.dealer_id = dealers.id
        and state = 'PARKED' and kind <> 'test')`,
    })
    .from(dealers)
    .orderBy(sql`${dealers.isDefault} desc`, asc(dealers.createdAt), asc(dealers.id)),
)
export type ListedDealer = RowOf<typeof findDealers>

export const lockDealer = prepareQuery('lock-dealer', (db, p: Placeholders<{ id: string }>) =>
  db.select().from(dealers).where(eq(dealers.id, p.id)).for('update'),
)

export const insertDealer = async (tx: Db, row: typeof dealers.$inferInsert): Promise<void> => {
  await tx.insert(dealers).values(row)
}

type Changes = Partial<Omit<typeof dealers.$inferInsert, 'id' | 'version'>>
export const saveDealer = async (tx: Db, id: string, changes: Changes): Promise<void> => {
  await tx
    .update(dealers)
    .set({ ...changes, version: nextVersion })
    .where(eq(dealers.id, id))
}

export async function saveAreas(
  tx: Db,
  dealerId: string,
  areas: readonly { first: number; last: number }[],
): Promise<void> {
  await tx.delete(dealerAreas).where(eq(dealerAreas.dealerId, dealerId))
  if (areas.length === 0) return
  await tx
    .insert(dealerAreas)
    .values(areas.map(({ first, last }) => ({ dealerId, firstZip: first, lastZip: last })))
    .onConflictDoNothing()
}

const isTheirs = (p: Placeholders<{ packageId: string }>) =>
  sql<boolean>`coalesce(${dealers.id} = (select dealer_id from deals where package_id = ${p.packageId}), false)`

/**
 * Dealers whose keys may have signed a request about this package, its own dealer first, and the
 * database time.
 */
export const findPossibleSigners = prepareQuery(
  'find-possible-signers',
  (db, p: Placeholders<{ packageId: string }>) =>
    db
      .select({
        dealer: dealers,
        isTheirs: isTheirs(p),
        seconds: sql<number>`extract(epoch from keyturn_now())`.mapWith(Number),
      })
      .from(dealers)
      .orderBy(sql`${isTheirs(p)} desc`),
)
