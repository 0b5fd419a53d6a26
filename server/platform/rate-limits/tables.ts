import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../database/columns.ts'

export const throttles = pgTable('throttles', {
  bucket: text('bucket').primaryKey(),
  count: integer('count').notNull(),
  windowEndsAt: moment('window_ends_at').notNull(),
  freeAt: moment('free_at').notNull(),
})
