import { sql } from 'drizzle-orm'
import { agedRows, type RetentionRule } from '../../platform/retention/retention-rule.ts'
import { contactLooks } from './tables.ts'

/** Looks at contact data (R-accounts-52). */
export const tradeRetention: readonly RetentionRule[] = [
  agedRows({ kind: 'contactLooks', table: contactLooks, at: sql`first_at` }),
]
