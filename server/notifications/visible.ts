import { notificationTypes, type Reader, seesType } from '@keyturn/contract/notifications/rules.ts'
import { eq, type SQL, sql } from 'drizzle-orm'
import { notifications } from './tables.ts'

/** The rule of who sees what, as conditions of queries by `userId`: made from its table, not written a second time. */
export const visible: Record<Reader, SQL> = {
  // Addressees see every type (R-notifications-2).
  addressee: eq(notifications.recipientId, sql.placeholder('userId')),
  // Literals, because only then the planner sees that the wholesalers' index holds all of these rows.
  wholesaler: sql`${notifications.type} not in (${sql.join(hiddenFromWholesalers(), sql`, `)})`,
}

export function quoted(text: string): SQL {
  return sql.raw(`'${text}'`)
}

function hiddenFromWholesalers(): SQL[] {
  return notificationTypes.filter((type) => !seesType('wholesaler', type)).map(quoted)
}
