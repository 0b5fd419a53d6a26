import {
  type AdminAct,
  type AdminRole,
  settingsAdministratorName,
} from '@keyturn/contract/accounts/admin-acts.ts'
import type { AdminEventValues } from '@keyturn/contract/accounts/admin-event-details.ts'
import { and, desc, eq, lt, type SQLWrapper, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import {
  type Placeholders,
  prepareQuery,
  prepareStatement,
} from '../../../platform/database/prepare-query.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { adminEvents, administrators, users } from '../tables.ts'

/** The administrator of an event, as their session knows them. */
export type EventAdministrator = Pick<Administrator, 'id' | 'role' | 'sessionId' | 'ip'>

/** Far above every id of an event, and exact as a number. */
export const maxEventId = 2 ** 52

export type AdminEvent = {
  act: AdminAct
  /** The person concerned, who may read the event. */
  personId?: string | null
  /** The id of the row that the act is about. */
  subject?: string | null
  /** States and ids, never what a person wrote: the event outlives their account. */
  before?: AdminEventValues | null
  after?: AdminEventValues | null
}

/** Records an administrator's act in the transaction of the act: both or neither commit (R-accounts-56). */
export async function recordAdminEvent(
  tx: Db,
  administrator: EventAdministrator,
  event: AdminEvent,
): Promise<void> {
  await insertEvent(tx, rowOf(administrator, event))
  recorded.add(administrator)
}

/**
 * Callers whose request has recorded an event. Each request has its own object: pass it on, because
 * a copy loses the mark.
 */
const recorded = new WeakSet<EventAdministrator>()
export const hasRecordedEvent = (administrator: EventAdministrator): boolean => recorded.has(administrator)

/** The people whose contact data a request shows beyond those whom its path and query name. */
const shown = new WeakMap<EventAdministrator, readonly string[]>()
export const shownPeople = (administrator: EventAdministrator): readonly string[] =>
  shown.get(administrator) ?? []

/** Handlers of lists call it, so that each person learns of the look. Deleted accounts are null. */
export function markPeopleShown(
  administrator: EventAdministrator | null,
  ids: readonly (string | null)[],
): void {
  if (administrator) shown.set(administrator, [...new Set(ids.filter((id) => id !== null))])
}

/**
 * Records a look, in one row for each person. Screens poll their lists, so the same look in the same
 * session counts once an hour for each person.
 */
export async function recordAdminLook(
  db: Db,
  administrator: EventAdministrator,
  event: Omit<AdminEvent, 'personId' | 'before'>,
  personIds: readonly string[],
): Promise<void> {
  const { personId: _, before: __, ...row } = rowOf(administrator, event)
  await insertLooks(db, { ...row, personIds: personIds.length > 0 ? [...personIds] : [null] })
}

const rowOf = ({ id, role, sessionId, ip }: EventAdministrator, event: AdminEvent): NewEvent => ({
  administratorId: id,
  role,
  act: event.act,
  personId: event.personId ?? null,
  subject: event.subject ?? null,
  before: textOf(event.before),
  after: textOf(event.after),
  sessionId,
  ip,
})

const textOf = (values: AdminEventValues | null | undefined): string | null =>
  values ? JSON.stringify(values) : null

type NewEvent = {
  administratorId: string | null
  role: AdminRole
  act: AdminAct
  personId: string | null
  subject: string | null
  before: string | null
  after: string | null
  sessionId: string
  ip: string
}

/** The name that people read; the user name is half of a sign-in. */
const nameOf = (administratorId: SQLWrapper) =>
  sql<string>`coalesce((select ${administrators.name} from ${administrators}
    where ${administrators.id} = ${administratorId}::char(24)), ${sql.raw(`'${settingsAdministratorName}'`)})`

const insertEvent = prepareQuery('insert-admin-event', (db, p: Placeholders<NewEvent>) =>
  db.insert(adminEvents).values({
    administratorId: p.administratorId,
    administrator: nameOf(p.administratorId),
    role: sql`${p.role}`,
    act: sql`${p.act}`,
    personId: p.personId,
    subject: p.subject,
    before: sql`${p.before}::jsonb`,
    after: sql`${p.after}::jsonb`,
    sessionId: p.sessionId,
    ip: p.ip,
  }),
)

/**
 * `person_id` is null for an id that nobody has. Sorted, so that concurrent looks wait for each other
 * in one order.
 */
const insertLooks = prepareStatement<
  Omit<NewEvent, 'personId' | 'before'> & { personIds: (string | null)[] }
>(
  'insert-admin-looks',
  (p) => sql`
    insert into ${adminEvents} (administrator_id, administrator, role, act, person_id, subject, after, session_id, ip)
    select ${p.administratorId}::char(24), ${nameOf(p.administratorId)}, ${p.role}, ${p.act}, nullif(concerned.id, ''),
      ${p.subject}::text, ${p.after}::jsonb, ${p.sessionId}, ${p.ip}
    from (select distinct coalesce(${users.id}, '') as id from unnest(${p.personIds}::bpchar[]) named (id)
      left join ${users} on ${users.id} = named.id) concerned
    where concerned.id not in (
      select coalesce(earlier.person_id, '') from ${adminEvents} earlier
      where earlier.session_id = ${p.sessionId}::char(24) and earlier.act = ${p.act}::text
        and earlier.at > ${now} - interval '1 hour' and earlier.subject is not distinct from ${p.subject}::text
        and earlier.after is not distinct from ${p.after}::jsonb)
    order by concerned.id`,
)

/** Finds events about a person, newest first, for that person (R-accounts-57). */
export const findAdminEventsAbout = prepareQuery(
  'find-admin-events-about',
  (db, p: Placeholders<{ userId: string; limit: number; beforeId: number }>) =>
    db
      .select({
        id: adminEvents.id,
        at: adminEvents.at,
        administrator: adminEvents.administrator,
        role: adminEvents.role,
        act: adminEvents.act,
      })
      .from(adminEvents)
      .where(and(eq(adminEvents.personId, p.userId), lt(adminEvents.id, p.beforeId)))
      .orderBy(desc(adminEvents.id))
      .limit(p.limit),
)
