import { sql } from 'drizzle-orm'
import { storedResponses } from '../http/tables.ts'
import { agedRows, type RetentionRule } from './retention-rule.ts'

export const responseRetention: readonly RetentionRule[] = [
  agedRows({ kind: 'responses', table: storedResponses, at: sql`created_at` }),
]
