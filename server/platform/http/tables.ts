import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytesColumn, momentColumn, now } from '../database/columns.ts'

/** Stored responses, one per caller and `Idempotency-Key`. */
export const storedResponses = pgTable(
  'idempotency_keys',
  {
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    route: text('route').notNull(),
    bodyHash: bytesColumn('body_hash').notNull(),
    status: integer('status').notNull(),
    answer: text('answer').notNull(),
    createdAt: momentColumn('created_at').notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.owner, table.key] })],
)
