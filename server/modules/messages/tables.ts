import { type SQLWrapper, sql } from 'drizzle-orm'
import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { idColumn, momentColumn, now } from '../../platform/database/columns.ts'

/** Messages between the parties of a deal. `text` is null once nobody is left who could read it. */
export const dealMessages = pgTable('deal_messages', {
  id: idColumn('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
  dealId: idColumn('deal_id').notNull(),
  senderId: idColumn('sender_id').notNull(),
  text: text('text'),
  sentAt: momentColumn('sent_at').notNull().default(now),
})

export const messagesSeen = pgTable(
  'messages_seen',
  {
    dealId: idColumn('deal_id').notNull(),
    personId: idColumn('person_id').notNull(),
    upTo: bigint('up_to', { mode: 'number' }).notNull(),
  },
  (seen) => [primaryKey({ columns: [seen.dealId, seen.personId] })],
)

/** A message from the other party that this person has not seen yet (R-deals-85). */
export const isUnseen = (
  personId: SQLWrapper,
) => sql<boolean>`(${dealMessages.senderId} <> ${personId} and ${dealMessages.number} > coalesce((select ${messagesSeen.upTo} from ${messagesSeen}
    where ${messagesSeen.dealId} = ${dealMessages.dealId} and ${messagesSeen.personId} = ${personId}), 0))`

export const messageReports = pgTable('message_reports', {
  messageId: idColumn('message_id').primaryKey(),
  reporterId: idColumn('reporter_id').notNull(),
  reason: text('reason'),
  reportedAt: momentColumn('reported_at').notNull().default(now),
  handledAt: momentColumn('handled_at'),
})
