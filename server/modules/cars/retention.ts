import { sql } from 'drizzle-orm'
import { agedRows, type RetentionRule } from '../../platform/retention/retention-rule.ts'
import { carClaims, vinAnswers } from './tables.ts'

export const carRetention: readonly RetentionRule[] = [
  agedRows({ kind: 'reports', table: carClaims, at: sql`handled_at` }),
  agedRows({ kind: 'vinAnswers', table: vinAnswers, at: sql`asked_at` }),
]
