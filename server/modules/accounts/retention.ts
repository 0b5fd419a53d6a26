import { sql } from 'drizzle-orm'
import { agedRows, type RetentionRule } from '../../platform/retention/retention-rule.ts'
import { adminSessionTables, emailCodes, knownNetworks, personalTokens, userSessionTables } from './tables.ts'

/** A session takes its tokens with it, one for every ten minutes of use. */
const sessionsABatch = 100

const endedAt = sql`least(expires_at, ended_at)`

/**
 * A session's refresh tokens stay as long as the session: a replayed old token must be recognized.
 */
export const accountRetention: readonly RetentionRule[] = [
  agedRows({ kind: 'signIns', table: userSessionTables.sessions, at: endedAt, limit: sessionsABatch }),
  agedRows({ kind: 'signIns', table: adminSessionTables.sessions, at: endedAt, limit: sessionsABatch }),
  agedRows({ kind: 'emailCodes', table: emailCodes, at: sql`expires_at` }),
  agedRows({ kind: 'accessTokens', table: personalTokens, at: sql`least(expires_at, revoked_at)` }),
  agedRows({ kind: 'knownNetworks', table: knownNetworks, at: sql`last_used_at` }),
]
