import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { moment, now } from '../database/columns.ts'

export const backups = pgTable('backups', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  beganAt: moment('began_at').notNull().default(now),
  endedAt: moment('ended_at'),
  path: text('path'),
  failedBecause: text('failed_because'),
})
