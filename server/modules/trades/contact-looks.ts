import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { and, desc, eq, sql } from 'drizzle-orm'
import { pickColumns } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { cursorTime } from '../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import type { LookSource } from '../accounts/privacy/look-sources.ts'
import { users } from '../accounts/tables.ts'
import { contactLooks, trades } from './tables.ts'

/**
 * Records that a wholesaler was shown the owners' contact data, once a day for each trade. A list
 * that is reloaded writes nothing. Sorted, so that concurrent loads wait for each other in one order.
 */
export const recordContactLooks = prepareQuery(
  'record-contact-looks',
  (db, p: Placeholders<{ viewerId: string; tradeIds: string[] }>) =>
    db
      .insert(contactLooks)
      // In the order of the table's columns.
      .select(
        sql`select owner_id, ${p.viewerId}::char(24), id, (keyturn_now() at time zone 'UTC')::date, keyturn_now()
          from ${trades} where id = any(${p.tradeIds}::bpchar[]) and owner_id <> ${p.viewerId}::char(24) order by id`,
      )
      .onConflictDoNothing(),
)

/** Unique within a moment: one row for each wholesaler, trade and day. */
const place = sql<string>`${contactLooks.tradeId} || ${contactLooks.viewerId}`

type Page = { personId: string; limit: number; beforeAt: string | null; beforeId: string | null }
const findLooks = prepareQuery('find-contact-looks', (db, p: Placeholders<Page>) =>
  db
    .select({
      at: contactLooks.firstAt,
      placeAt: cursorTime(contactLooks.firstAt),
      placeId: place,
      car: pickColumns(trades, 'year', 'make', 'model'),
      viewer: pickColumns(users, 'firstName', 'lastName'),
    })
    .from(contactLooks)
    .innerJoin(trades, eq(trades.id, contactLooks.tradeId))
    .innerJoin(users, eq(users.id, contactLooks.viewerId))
    .where(
      and(
        eq(contactLooks.personId, p.personId),
        sql`(${contactLooks.firstAt}, ${place}) < (coalesce(${p.beforeAt}::timestamptz, 'infinity'), ${p.beforeId}::text)`,
      ),
    )
    .orderBy(desc(contactLooks.firstAt), desc(place))
    .limit(p.limit),
)

export const listLooksOfWholesalers: LookSource = async ({ db }, personId, { limit, before }) => {
  const page = { personId, limit, beforeAt: before?.at ?? null, beforeId: before?.id ?? null }
  return (await findLooks(db, page)).map(({ at, placeAt, placeId, car, viewer }) => ({
    place: { at: placeAt, id: placeId },
    looks: [
      {
        kind: 'wholesaler',
        who: fullName(viewer),
        car: carName({ ...car, carModel: car.model }),
        at: at.toISOString(),
      },
    ],
  }))
}

/** Deletes who looked at the data of a person whose account is deleted. */
export async function deleteLooksAt(tx: Db, personId: string): Promise<void> {
  await tx.delete(contactLooks).where(eq(contactLooks.personId, personId))
}
