import type { Channel } from '@keyturn/contract/notifications/notification-kinds.ts'
import { and, asc, isNull, sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open.ts'
import { type Placeholders, prepared } from '../../platform/database/prepared.ts'
import { userSessionTables, users } from '../accounts/tables.ts'
import type { PendingNotification } from './notify.ts'
import { pushDevices, switchedOff } from './tables.ts'

export type Reader = {
  id: string | null
  email: string | null
  off: Record<Channel, string[]>
  zone: string | null
  hasDevices: boolean
}

export type Reached = { told: PendingNotification; readers: Reader[] }

/** Limits the recipients: a larger group of wholesalers relies on the dashboard. */
const mostWholesalers = 100

/**
 * Finds the recipients of each notification that is sent by email or push; deleted accounts get
 * none.
 */
export async function readersOf(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  told: readonly PendingNotification[],
): Promise<Reached[]> {
  const ways = told.filter(({ line }) => line.mail !== null || line.push)
  const ids = ways.flatMap(({ recipientId }) => recipientId ?? [])
  const found = ids.length === 0 ? [] : await findReaders(tx, { ids })
  const byId = new Map(found.map((one) => [one.id, one]))
  return Promise.all(ways.map(async (one) => ({ told: one, readers: await behind(one) })))

  async function behind({ recipientId, audience }: PendingNotification): Promise<Reader[]> {
    if (recipientId !== null) return [byId.get(recipientId) ?? []].flat()
    if (audience === 'WHOLESALERS') return findWholesalersToTell(tx, { limit: mostWholesalers })
    return administratorsOf(deps.config)
  }
}

const administratorsOf = ({ adminEmail }: Pick<Config, 'adminEmail'>): Reader[] =>
  adminEmail === null
    ? []
    : [{ id: null, email: adminEmail, off: { mail: [], push: [] }, zone: null, hasDevices: false }]

const { sessions } = userSessionTables

function offBy(channel: Channel) {
  const name = sql.raw(`'${channel}'`)
  return sql`array(select kind from ${switchedOff} as off where off.user_id = users.id and off.channel = ${name})`
}

// Tables are named in full: the query builder omits the names in a query of a single table.
const reader = {
  id: users.id,
  email: users.email,
  off: sql<Record<Channel, string[]>>`json_build_object('mail', ${offBy('mail')}, 'push', ${offBy('push')})`,
  hasDevices: sql<boolean>`exists (select from ${pushDevices} as device where device.user_id = users.id)`,
  zone: sql<string | null>`(select session.time_zone from ${sessions} as session
    where session.user_id = users.id and session.time_zone is not null order by session.signed_in_at desc limit 1)`,
}

const findReaders = prepared('readers', (db, p: Placeholders<{ ids: string[] }>) =>
  db
    .select(reader)
    .from(users)
    .where(and(sql`${users.id} = any(${p.ids}::char(24)[])`, isNull(users.deletedAt))),
)

export const findWholesalersToTell = prepared(
  'wholesalers-to-tell',
  (db, p: Placeholders<{ limit: number }>) =>
    db
      .select(reader)
      .from(users)
      .where(
        // A literal, because the planner uses the partial index only when it sees the condition.
        sql`${users.userType} = 'WHOLESALER' and ${users.approvedAt} is not null
        and ${users.verifiedAt} is not null and ${users.deletedAt} is null`,
      )
      .orderBy(asc(users.approvedAt))
      .limit(p.limit),
)
