import type { Channel } from '@keyturn/contract/notifications/notification-kinds.ts'
import { and, asc, isNull, sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { userSessionTables, users } from '../accounts/tables.ts'
import type { PendingNotification } from './notify.ts'
import { pushDevices, switchedOff } from './tables.ts'

export type Recipient = {
  id: string | null
  email: string | null
  off: Record<Channel, string[]>
  zone: string
  hasDevices: boolean
}

export type AddressedNotification = { notification: PendingNotification; recipients: Recipient[] }

/** For users whose browser never reported a time zone. Every time names its zone. */
export const defaultZone = 'America/New_York'

/** Limits the recipients: a larger group of wholesalers relies on the dashboard. */
const maxWholesalers = 100

/** Finds the recipients of notifications by email or push; deleted accounts get none. */
export async function findRecipients(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  notifications: readonly PendingNotification[],
): Promise<AddressedNotification[]> {
  const channeled = notifications.filter(({ line }) => line.mail !== null || line.push)
  const ids = channeled.flatMap(({ recipientId }) => recipientId ?? [])
  const found = ids.length === 0 ? [] : await findRecipientsById(tx, { ids })
  const byId = new Map(found.map((one) => [one.id, one]))
  return Promise.all(channeled.map(async (one) => ({ notification: one, recipients: await findFor(one) })))

  async function findFor({ recipientId, audience }: PendingNotification): Promise<Recipient[]> {
    if (recipientId !== null) return [byId.get(recipientId) ?? []].flat()
    if (audience === 'WHOLESALERS') return findWholesalersToNotify(tx, { limit: maxWholesalers })
    return administratorRecipients(deps.config)
  }
}

const administratorRecipients = ({ adminEmail }: Pick<Config, 'adminEmail'>): Recipient[] =>
  adminEmail === null
    ? []
    : [{ id: null, email: adminEmail, off: { mail: [], push: [] }, zone: defaultZone, hasDevices: false }]

const { sessions } = userSessionTables

function offBy(channel: Channel) {
  const name = sql.raw(`'${channel}'`)
  return sql`array(select kind from ${switchedOff} as off where off.user_id = users.id and off.channel = ${name})`
}

// Tables are named in full: the query builder omits the names in a query of a single table.
const recipient = {
  id: users.id,
  email: users.email,
  off: sql<Record<Channel, string[]>>`json_build_object('mail', ${offBy('mail')}, 'push', ${offBy('push')})`,
  hasDevices: sql<boolean>`exists (select from ${pushDevices} as device where device.user_id = users.id)`,
  zone: sql<string>`coalesce((select session.time_zone from ${sessions} as session
    where session.user_id = users.id and session.time_zone is not null order by session.signed_in_at desc limit 1), ${sql.raw(`'${defaultZone}'`)})`,
}

const findRecipientsById = prepareQuery('find-recipients-by-id', (db, p: Placeholders<{ ids: string[] }>) =>
  db
    .select(recipient)
    .from(users)
    .where(and(sql`${users.id} = any(${p.ids}::char(24)[])`, isNull(users.deletedAt))),
)

export const findWholesalersToNotify = prepareQuery(
  'find-wholesalers-to-notify',
  (db, p: Placeholders<{ limit: number }>) =>
    db
      .select(recipient)
      .from(users)
      .where(
        // A literal, because the planner uses the partial index only when it sees the condition.
        sql`${users.userType} = 'WHOLESALER' and ${users.approvedAt} is not null
        and ${users.verifiedAt} is not null and ${users.deletedAt} is null
        and ${users.suspendedAt} is null`,
      )
      .orderBy(asc(users.approvedAt))
      .limit(p.limit),
)
