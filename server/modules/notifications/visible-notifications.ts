import {
  bellDepth,
  canSeeType,
  type NotificationReader,
  notificationTypes,
} from '@keyturn/contract/notifications/rules.ts'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Placeholders } from '../../platform/database/prepare-query.ts'
import { notifications } from './tables.ts'

export type ReaderParams = { userId: string }
export type ConditionByReader = Record<NotificationReader, (p: Placeholders<ReaderParams>) => SQL>

/** SQL conditions for the notifications that a reader sees, generated from the contract's table. */
export const isVisibleTo: ConditionByReader = {
  // Addressees see every type (R-notifications-2).
  addressee: ({ userId }) => eq(notifications.recipientId, userId),
  // Literals, because the planner then sees that the wholesalers' index contains all of these rows.
  // Notifications without a public message concern two people only (R-deals-83).
  wholesaler: () =>
    sql`${notifications.type} not in (${sql.join(hiddenFromWholesalers(), sql`, `)}) and ${notifications.publicMessage} <> ''`,
}

export const bellDepthSql = sql.raw(String(bellDepth))

export function sqlLiteral(text: string): SQL {
  return sql.raw(`'${text}'`)
}

function hiddenFromWholesalers(): SQL[] {
  return notificationTypes.filter((type) => !canSeeType('wholesaler', type)).map(sqlLiteral)
}
