import { bellDepth, notificationTypes, type Reader, seesType } from '@keyturn/contract/notifications/rules.ts'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Placeholders } from '../../platform/database/prepared.ts'
import { notifications } from './tables.ts'

export type ReadBy = { userId: string }
export type ForReader = Record<Reader, (p: Placeholders<ReadBy>) => SQL>

/** The rule of who sees what, as conditions of queries: made from its table, not written a second time. */
export const visible: ForReader = {
  // Addressees see every type (R-notifications-2).
  addressee: ({ userId }) => eq(notifications.recipientId, userId),
  // Literals, because only then the planner sees that the wholesalers' index holds all of these rows. What says nothing
  // to the market is between two people (R-deals-83).
  wholesaler: () =>
    sql`${notifications.type} not in (${sql.join(hiddenFromWholesalers(), sql`, `)}) and ${notifications.publicMessage} <> ''`,
}

export const mostCounted = sql.raw(String(bellDepth))

export function quoted(text: string): SQL {
  return sql.raw(`'${text}'`)
}

function hiddenFromWholesalers(): SQL[] {
  return notificationTypes.filter((type) => !seesType('wholesaler', type)).map(quoted)
}
