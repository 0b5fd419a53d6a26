import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { momentColumn } from '../database/columns.ts'

export const throttles = pgTable('throttles', {
  bucket: text('bucket').primaryKey(),
  count: integer('count').notNull(),
  windowEndsAt: momentColumn('window_ends_at').notNull(),
  freeAt: momentColumn('free_at').notNull(),
})
