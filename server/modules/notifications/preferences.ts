import {
  type Channel,
  type NotificationKind,
  notificationKindsFor,
} from '@keyturn/contract/notifications/notification-kinds.ts'
import type { Preferences } from '@keyturn/contract/notifications/preferences.ts'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { users } from '../accounts/tables.ts'
import { switchedOff } from './tables.ts'

export async function readPreferences(db: Db, { id, userType }: UserActor): Promise<Preferences> {
  const rows = await findDisabled(db, { userId: id })
  const isOn = (kind: NotificationKind, by: Channel) =>
    !rows.some((off) => off.kind === kind && off.channel === by)
  const switches = notificationKindsFor(userType === 'WHOLESALER').map((kind) => ({
    kind,
    mail: isOn(kind, 'mail'),
    push: isOn(kind, 'push'),
  }))
  return { switches }
}

type Switch = { kind: NotificationKind; channel: Channel; isOn: boolean }
export const setPreference = (db: Db, userId: string, { kind, channel, isOn }: Switch): Promise<unknown> =>
  isOn ? enableKind(db, { userId, kind, channel }) : disableKinds(db, { userId, kinds: [kind], channel })

const findDisabled = prepareQuery('find-disabled-kinds', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select({ kind: switchedOff.kind, channel: switchedOff.channel })
    .from(switchedOff)
    .where(eq(switchedOff.userId, p.userId)),
)

const enableKind = prepareQuery(
  'enable-kind',
  (db, p: Placeholders<{ userId: string; kind: NotificationKind; channel: Channel }>) =>
    db
      .delete(switchedOff)
      .where(
        sql`${switchedOff.userId} = ${p.userId} and ${switchedOff.kind} = ${p.kind} and ${switchedOff.channel} = ${p.channel}`,
      ),
)

/** Does nothing for a deleted account. */
export const disableKinds = prepareQuery(
  'disable-kinds',
  (db, p: Placeholders<{ userId: string; kinds: string[]; channel: Channel }>) =>
    db.insert(switchedOff).select(
      sql`select users.id, kind, ${p.channel}::text, keyturn_now() from ${users}, unnest(${p.kinds}::text[]) as kind
        where users.id = ${p.userId} and users.deleted_at is null on conflict do nothing`,
    ),
)

export const deletePreferences = prepareQuery(
  'delete-preferences',
  (db, p: Placeholders<{ userId: string }>) => db.delete(switchedOff).where(eq(switchedOff.userId, p.userId)),
)
