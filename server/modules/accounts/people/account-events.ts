import { sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { type AccountEvent, accountEvents } from '../tables.ts'

type Happened = {
  userId: string
  actor: 'PERSON' | 'CODE' | 'ADMIN'
  event: AccountEvent
  /** Names of fields, never their values. */
  fields?: string[]
  sessionId?: string
}

/** Records an event in the transaction of the change: both or neither commit (R-accounts-38). */
export async function recordAccountEvent(tx: Db, happened: Happened): Promise<void> {
  await insertEvent(tx, { fields: [], sessionId: null, ...happened })
}

const insertEvent = prepareQuery(
  'insert-account-event',
  (db, p: Placeholders<Omit<Happened, 'sessionId'> & { sessionId: string | null }>) =>
    db.insert(accountEvents).values({
      userId: p.userId,
      actor: sql`${p.actor}`,
      event: sql`${p.event}`,
      fields: sql`${p.fields}::text[]`,
      sessionId: p.sessionId,
    }),
)
