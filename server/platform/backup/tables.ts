import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { momentColumn, now } from '../database/columns.ts'

export const backups = pgTable('backups', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  beganAt: momentColumn('began_at').notNull().default(now),
  endedAt: momentColumn('ended_at'),
  path: text('path'),
  failedBecause: text('failed_because'),
})
