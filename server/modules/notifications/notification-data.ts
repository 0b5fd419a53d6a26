import type { Channel, NotificationKind } from '@keyturn/contract/notifications/notification-kinds.ts'
import { preferencesTexts } from '@keyturn/contract/notifications/preferences-texts.ts'
import { sql } from 'drizzle-orm'
import { type DataSection, defineDataSection, toMoment } from '../../platform/personal-data/data-section.ts'

// Sections of the notifications module in a person's download. Notifications for all
// wholesalers are about other people's trades, and are not among them.

type Notification = { id: string; message: string; created_at: string; is_read: boolean }
const notifications = defineDataSection<Notification>({
  name: 'notifications',
  title: 'Your notifications',
  tables: ['notifications', 'notification_reads', 'notification_marks'],
  select: ({ personId }) => sql`select id, message, created_at,
    exists (select 1 from notification_reads r where r.user_id = ${personId} and r.notification_id = notifications.id)
    or exists (select 1 from notification_marks m where m.user_id = ${personId}
      and (notifications.created_at, notifications.id) <= (m.read_to, m.read_to_id)) as is_read
    from notifications where recipient_id = ${personId} and message <> ''`,
  toRow: (row) => ({ at: toMoment(row.created_at), notification: row.message, read: row.is_read }),
})

type SwitchedOff = { id: string; kind: NotificationKind; channel: Channel; at: string }
const channels: Record<Channel, string> = { mail: 'Email', push: 'Push' }
const switchedOff = defineDataSection<SwitchedOff>({
  name: 'notificationsTurnedOff',
  title: 'Notifications that you turned off',
  tables: ['switched_off'],
  select: ({ personId }) =>
    sql`select kind || ' ' || channel as id, kind, channel, at from switched_off where user_id = ${personId}`,
  toRow: (row) => ({
    kind: preferencesTexts.kinds[row.kind].label,
    channel: channels[row.channel],
    at: toMoment(row.at),
  }),
})

type Device = { id: string; name: string; added_at: string; seen_at: string; waiting: string[] }
const pushDevices = defineDataSection<Device>({
  name: 'notifiedDevices',
  title: 'Devices with notifications turned on',
  tables: ['push_devices', 'pushes'],
  select: ({ personId }) => sql`select id, name, added_at, seen_at,
    array(select body from pushes where device_id = push_devices.id order by created_at) as waiting
    from push_devices where user_id = ${personId}`,
  toRow: (row) => ({
    device: row.name,
    turnedOnAt: toMoment(row.added_at),
    lastSeenAt: toMoment(row.seen_at),
    notificationsWaiting: row.waiting,
  }),
})

export const notificationData: readonly DataSection[] = [notifications, switchedOff, pushDevices]
