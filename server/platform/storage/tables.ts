import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment, now } from '../database/columns.ts'

/** Pictures that have files in the store. */
export const pictures = pgTable('pictures', {
  id: text('id').primaryKey(),
  width: integer('width').notNull(),
  createdAt: moment('created_at').notNull().default(now),
  sweepAfter: moment('sweep_after'),
})
