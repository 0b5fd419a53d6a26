import type { AdminEventValues } from '@keyturn/contract/accounts/admin-event-details.ts'
import type {
  AdminEventEntry,
  listAdminEvents as listCall,
} from '@keyturn/contract/accounts/administrators.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { type Cursor, cutPage, decodeCursor } from '../../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { adminEvents, users } from '../tables.ts'
import { maxEventId } from './admin-events.ts'

type Query = EndpointInput<typeof listCall>['query']

/** Lists the audit log, newest first, of everybody, of one administrator or about one person. */
export async function listAdminEvents(
  { db }: Pick<Deps, 'db'>,
  { limit, cursor, administrator, person }: Query,
): Promise<{ events: AdminEventEntry[]; next: Cursor | null }> {
  const page = { limit: limit + 1, beforeId: Number(decodeCursor(cursor)?.id ?? maxEventId) }
  const rows = await (person
    ? findAbout(db, { ...page, personId: person, by: administrator ?? null })
    : administrator === 'settings'
      ? findOfSettings(db, page)
      : administrator
        ? findBy(db, { ...page, administratorId: administrator })
        : findAll(db, page))
  const { shown, next } = cutPage(rows, limit, ({ id, at }) => ({ at: at.toISOString(), id: padId(id) }))
  return { events: shown.map(toEntry), next }
}

/** Cursors hold ids of 24 digits. */
const padId = (id: number): string => String(id).padStart(24, '0')

type Paged = { limit: number; beforeId: number }

function eventsWhere<More extends Record<string, unknown>>(
  name: string,
  condition: (p: Placeholders<Paged & More>) => SQL | undefined,
) {
  return prepareQuery(name, (db, p: Placeholders<Paged & More>) =>
    db
      .select({
        id: adminEvents.id,
        at: adminEvents.at,
        administratorId: adminEvents.administratorId,
        administrator: adminEvents.administrator,
        role: adminEvents.role,
        act: adminEvents.act,
        personId: adminEvents.personId,
        firstName: sql<string | null>`${users.firstName}`,
        lastName: sql<string | null>`${users.lastName}`,
        subject: adminEvents.subject,
        before: adminEvents.before,
        after: adminEvents.after,
        ip: adminEvents.ip,
      })
      .from(adminEvents)
      .leftJoin(users, eq(users.id, adminEvents.personId))
      .where(and(sql`${adminEvents.id} < ${p.beforeId}::bigint`, condition(p)))
      .orderBy(desc(adminEvents.id))
      .limit(p.limit),
  )
}

const findAll = eventsWhere('find-admin-events', () => undefined)
const findOfSettings = eventsWhere('find-admin-events-of-settings', () => isNull(adminEvents.administratorId))
const findBy = eventsWhere<{ administratorId: string }>('find-admin-events-by', (p) =>
  eq(adminEvents.administratorId, p.administratorId),
)
const findAbout = eventsWhere<{ personId: string; by: string | null }>('find-admin-events-of-person', (p) =>
  and(
    eq(adminEvents.personId, p.personId),
    sql`(${p.by}::text is null or coalesce(${adminEvents.administratorId}, 'settings') = ${p.by}::text)`,
  ),
)

const toEntry = (row: RowOf<typeof findAll>): AdminEventEntry => ({
  _id: String(row.id),
  at: row.at.toISOString(),
  administrator: row.administrator,
  administratorId: row.administratorId,
  role: row.role,
  act: row.act,
  person: row.personId
    ? {
        _id: row.personId,
        name: fullName({ firstName: row.firstName ?? '', lastName: row.lastName ?? '' }),
      }
    : null,
  subject: row.subject,
  before: row.before as AdminEventValues | null,
  after: row.after as AdminEventValues | null,
  ip: row.ip,
})
