import { maxDevices } from '@keyturn/contract/notifications/push.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { userSessionTables, users } from '../../accounts/tables.ts'
import { pushDevices as devices } from '../tables.ts'

export const listDevices = prepareQuery('list-devices', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select({
      id: devices.id,
      name: devices.name,
      digest: sql<string>`encode(sha256(convert_to(${devices.endpoint}, 'UTF8')), 'hex')`,
      addedAt: devices.addedAt,
    })
    .from(devices)
    .where(eq(devices.userId, p.userId))
    .orderBy(asc(devices.addedAt), asc(devices.id)),
)

/** Serializes adding devices for one person. */
export const lockDeviceOwner = prepareQuery('lock-device-owner', (db, p: Placeholders<{ userId: string }>) =>
  db.select({ id: users.id }).from(users).where(eq(users.id, p.userId)).for('no key update'),
)

/** Returns a row if the session is active, and keeps it active until this transaction ends. */
export const lockActiveSession = prepareQuery(
  'lock-active-session',
  (db, p: Placeholders<{ sessionId: string; userId: string }>) => {
    const { sessions } = userSessionTables
    return db
      .select({ id: sessions.id })
      .from(sessions)
      .where(
        sql`${sessions.id} = ${p.sessionId} and ${sessions.owner} = ${p.userId} and ${sessions.endedAt} is null`,
      )
      .for('share')
  },
)

/** Deletes this browser's other endpoints, and another person's device with this endpoint. */
export const deleteOtherDevices = prepareQuery(
  'delete-other-devices',
  (db, p: Placeholders<{ sessionId: string; userId: string; endpoint: string; before: string }>) =>
    db.delete(devices).where(
      sql`${devices.endpoint} <> ${p.endpoint} and (${devices.sessionId} = ${p.sessionId}
            or ${devices.userId} = ${p.userId} and ${devices.endpoint} = ${p.before})
          or ${devices.endpoint} = ${p.endpoint} and ${devices.userId} <> ${p.userId}`,
    ),
)

type NewDevice = Pick<
  typeof devices.$inferSelect,
  'id' | 'userId' | 'endpoint' | 'p256dh' | 'auth' | 'name'
> & {
  sessionId: string
}
export const saveDevice = prepareQuery('save-device', (db, p: Placeholders<NewDevice>) =>
  db
    .insert(devices)
    .values({
      id: p.id,
      userId: p.userId,
      sessionId: p.sessionId,
      endpoint: p.endpoint,
      p256dh: p.p256dh,
      auth: p.auth,
      name: p.name,
    })
    .onConflictDoUpdate({
      target: devices.endpoint,
      set: {
        sessionId: sql`excluded.session_id`,
        p256dh: sql`excluded.p256dh`,
        auth: sql`excluded.auth`,
        name: sql`excluded.name`,
        seenAt: now,
        failures: 0,
        restsUntil: null,
      },
      // A device that another person adds concurrently stays unchanged, because it has pushes of
      // its own.
      setWhere: sql`${devices.userId} = excluded.user_id`,
    }),
)

/** Finds and locks the person's device with one of these endpoints. */
export const findOwnDevice = prepareQuery(
  'find-own-device',
  (db, p: Placeholders<{ userId: string; before: string; endpoint: string }>) =>
    db
      .select({ id: devices.id })
      .from(devices)
      .where(sql`${devices.userId} = ${p.userId} and ${devices.endpoint} in (${p.before}, ${p.endpoint})`)
      .for('update'),
)

/** Detaches the person's own device only; a device of another person ends with the session. */
export const detachFromSession = prepareQuery(
  'detach-from-session',
  (db, p: Placeholders<{ sessionId: string; userId: string }>) =>
    db
      .update(devices)
      .set({ sessionId: null })
      .where(and(eq(devices.sessionId, p.sessionId), eq(devices.userId, p.userId)))
      .returning({ id: devices.id }),
)
export const attachToSession = prepareQuery(
  'attach-to-session',
  (db, p: Placeholders<{ id: string; sessionId: string }>) =>
    db
      .update(devices)
      .set({ sessionId: sql`${p.sessionId}` })
      .where(eq(devices.id, p.id)),
)

export const deleteOldestDevices = prepareQuery(
  'delete-oldest-devices',
  (db, p: Placeholders<{ userId: string }>) =>
    db.delete(devices).where(
      sql`${devices.id} in (select id from ${devices} as own where own.user_id = ${p.userId}
        order by own.seen_at desc, own.id desc offset ${sql.raw(String(maxDevices))})`,
    ),
)

export const deleteOwnDevice = prepareQuery(
  'delete-own-device',
  (db, p: Placeholders<{ userId: string; id: string }>) =>
    db
      .delete(devices)
      .where(and(eq(devices.id, p.id), eq(devices.userId, p.userId)))
      .returning({ id: devices.id }),
)

export const deleteDevice = prepareQuery('delete-device', (db, p: Placeholders<{ deviceId: string }>) =>
  db.delete(devices).where(eq(devices.id, p.deviceId)),
)

export const deleteDevicesOfUser = prepareQuery(
  'delete-devices-of-user',
  (db, p: Placeholders<{ userId: string }>) => db.delete(devices).where(eq(devices.userId, p.userId)),
)
