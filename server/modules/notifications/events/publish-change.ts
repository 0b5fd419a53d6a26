import type { ServerEventModule } from '@keyturn/contract/notifications/rules.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { publishSignals } from './publish-signals.ts'
import { encodeChangeSignal, usersPerSignal } from './signal.ts'

/** Makes the open pages of these users reload these kinds of data after the commit. */
export async function publishChange(
  tx: Db,
  userIds: readonly string[],
  ...rooms: ServerEventModule[]
): Promise<void> {
  const users = [...new Set(userIds)]
  if (users.length === 0 || rooms.length === 0) return
  const signals: string[] = []
  for (let i = 0; i < users.length; i += usersPerSignal)
    signals.push(encodeChangeSignal({ users: users.slice(i, i + usersPerSignal), wholesalers: false, rooms }))
  await publishSignals(tx, signals)
}

export async function publishChangeToWholesalers(tx: Db, ...rooms: ServerEventModule[]): Promise<void> {
  if (rooms.length === 0) return
  await publishSignals(tx, [encodeChangeSignal({ users: [], wholesalers: true, rooms })])
}
