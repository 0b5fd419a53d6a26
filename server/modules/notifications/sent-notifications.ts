import type { EventName } from '@keyturn/contract/notifications/event-facts.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { findEarlierNotification, findResolvedEmailIds } from './repository.ts'

/** Returns whether a person was notified after `since` of an event that happens once per deal. */
export async function wasNotified(
  tx: Db,
  once: { event: EventName; recipientId: string; dealId: string; since: Date },
): Promise<boolean> {
  const [earlier] = await findEarlierNotification(tx, once)
  return earlier !== undefined
}

/** Returns the listed emails that no longer need to be sent (R-notifications-24). */
export async function findResolvedEmails(db: Db, mails: readonly string[]): Promise<string[]> {
  return (await findResolvedEmailIds(db, { ids: [...mails] })).map(({ id }) => id)
}
