import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytesColumn, momentColumn, now } from '../database/columns.ts'

/** Pictures that have files in the store. */
export const pictures = pgTable('pictures', {
  id: text('id').primaryKey(),
  width: integer('width').notNull(),
  createdAt: momentColumn('created_at').notNull().default(now),
  sweepAfter: momentColumn('sweep_after'),
})

/** Files in the store under the SHA-256 of their bytes. */
export const documents = pgTable('documents', {
  digest: bytesColumn('digest').primaryKey(),
  byteCount: integer('byte_count').notNull(),
  storedAt: momentColumn('stored_at').notNull().default(now),
  sweepAfter: momentColumn('sweep_after'),
})
