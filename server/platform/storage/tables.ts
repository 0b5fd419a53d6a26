import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { momentColumn, now } from '../database/columns.ts'

/** Pictures that have files in the store. */
export const pictures = pgTable('pictures', {
  id: text('id').primaryKey(),
  width: integer('width').notNull(),
  createdAt: momentColumn('created_at').notNull().default(now),
  sweepAfter: momentColumn('sweep_after'),
})
