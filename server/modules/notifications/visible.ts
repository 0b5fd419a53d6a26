import { bellDepth, notificationTypes, type Reader, seesType } from '@keyturn/contract/notifications/rules.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Placeholders } from '../../platform/database/prepared.ts'
import { notifications } from './tables.ts'

export type ReadBy = { userId: string }
export type ForReader = Record<Reader, (p: Placeholders<ReadBy>) => SQL>

/** SQL conditions for the notifications that a reader sees, generated from the contract's table. */
export const visible: ForReader = {
  // Addressees see every type (R-notifications-2).
  // A sentence that named a deleted person, and has no public form, is empty.
  addressee: ({ userId }) => sql`${notifications.recipientId} = ${userId} and ${notifications.message} <> ''`,
  // Literals, because the planner then sees that the wholesalers' index contains all of these rows.
  // Notifications without a public message concern two people only (R-deals-83).
  wholesaler: () =>
    sql`${notifications.type} not in (${sql.join(hiddenFromWholesalers(), sql`, `)}) and ${notifications.publicMessage} <> ''`,
}

export const countLimit = sql.raw(String(bellDepth))

export function quoted(text: string): SQL {
  return sql.raw(`'${text}'`)
}

function hiddenFromWholesalers(): SQL[] {
  return notificationTypes.filter((type) => !seesType('wholesaler', type)).map(quoted)
}
