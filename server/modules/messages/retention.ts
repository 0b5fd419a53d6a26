import { sql } from 'drizzle-orm'
import { agedRows, type RetentionRule } from '../../platform/retention/retention-rule.ts'
import { messageReports } from './tables.ts'

export const reportRetention: readonly RetentionRule[] = [
  agedRows({
    kind: 'reports',
    table: messageReports,
    at: sql`handled_at`,
  }),
]
