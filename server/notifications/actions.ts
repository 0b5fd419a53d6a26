import { type LiveRoom, seesType } from '@keyturn/contract/notifications/rules.ts'
import type { Told } from '@keyturn/contract/notifications/texts.ts'
import { newId } from '../db/new-id.ts'
import type { Db } from '../db/open.ts'
import { encodeSignal, type LiveSignal } from './signal.ts'
import { saveNotification, sendSignals } from './store.ts'

export type { LiveRoom } from '@keyturn/contract/notifications/rules.ts'

/** Whom to tell what; type and sentences come from `notices` in the contract's `notifications/texts.ts`. */
export type Notice = Told & { recipientId: string }

/** Writes one notification and rings its readers' bells: both when the transaction commits, or never. */
export async function notify(tx: Db, notice: Notice): Promise<void> {
  const signal = encodeSignal({
    users: [notice.recipientId],
    wholesalers: seesType('wholesaler', notice.type),
    rooms: ['notifications'],
  })
  await saveNotification(tx, { ...notice, id: newId(), signal })
}

/** Tells the open pages of these people, at commit, to ask again what they show of these rooms. */
export async function touch(tx: Db, userIds: readonly string[], ...rooms: LiveRoom[]): Promise<void> {
  const users = [...new Set(userIds)]
  if (users.length === 0 || rooms.length === 0) return
  const signals: LiveSignal[] = []
  for (let i = 0; i < users.length; i += usersPerSignal)
    signals.push({ users: users.slice(i, i + usersPerSignal), wholesalers: false, rooms })
  await sendSignals(tx, { signals: signals.map(encodeSignal) })
}

/** The same for every approved wholesaler. */
export async function touchWholesalers(tx: Db, ...rooms: LiveRoom[]): Promise<void> {
  if (rooms.length === 0) return
  await sendSignals(tx, { signals: [encodeSignal({ users: [], wholesalers: true, rooms })] })
}

/** PostgreSQL takes less than 8,000 bytes in one signal; an id takes 27 of them. */
const usersPerSignal = 200
