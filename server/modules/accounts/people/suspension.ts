import { suspendedSentence } from '@keyturn/contract/accounts/suspension-texts.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { suspensions, users } from '../tables.ts'

// The suspension of an account. `suspendPerson` in the deals module makes one.

export async function isSuspended(db: Db, personId: string): Promise<boolean> {
  return (await findSuspendedAt(db, { id: personId })).length > 0
}

/**
 * Throws `AccountSuspended` with the reason and whom to write to. Call it only after the person has
 * proved who they are. Every start of a session comes here (R-accounts-61).
 */
export async function requireNotSuspended(
  config: Pick<Config, 'supportContact'>,
  db: Db,
  personId: string,
): Promise<void> {
  const suspended = await findSuspendedError(config, db, personId)
  if (suspended) throw suspended
}

async function findSuspendedError(
  { supportContact }: Pick<Config, 'supportContact'>,
  db: Db,
  personId: string,
): Promise<ApiError | null> {
  const [active] = await findActiveSuspension(db, { userId: personId })
  if (!active) return null
  return accountErrors.AccountSuspended({
    message: suspendedSentence({ ...active, writeTo: supportContact }),
  })
}

const findSuspendedAt = prepareQuery('find-suspended-at', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({ at: users.suspendedAt })
    .from(users)
    .where(and(eq(users.id, p.id), isNotNull(users.suspendedAt))),
)

const findActiveSuspension = prepareQuery(
  'find-active-suspension',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select({ reason: suspensions.reason, note: suspensions.note })
      .from(suspensions)
      .where(and(eq(suspensions.userId, p.userId), isNull(suspensions.liftedAt))),
)

export const findSuspensions = prepareQuery('find-suspensions', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select()
    .from(suspensions)
    .where(eq(suspensions.userId, p.userId))
    .orderBy(desc(suspensions.suspendedAt)),
)
export type SuspensionRow = RowOf<typeof findSuspensions>

type NewSuspension = { id: string; userId: string; reason: string; note: string; by: string }

/** The caller holds the person's lock. */
export const insertSuspension = prepareQuery('insert-suspension', (db, p: Placeholders<NewSuspension>) =>
  db.insert(suspensions).values({
    id: p.id,
    userId: p.userId,
    reason: sql`${p.reason}`,
    note: p.note,
    suspendedBy: p.by,
  }),
)

/** Returns the suspension if it was active. */
export const markSuspensionLifted = prepareQuery(
  'mark-suspension-lifted',
  (db, p: Placeholders<{ id: string; by: string }>) =>
    db
      .update(suspensions)
      .set({ liftedAt: now, liftedBy: sql`${p.by}` })
      .where(and(eq(suspensions.id, p.id), isNull(suspensions.liftedAt)))
      .returning({ id: suspensions.id }),
)

/** What was written about a person goes with the account; the fact stays. */
export const eraseSuspensionNotes = prepareQuery(
  'erase-suspension-notes',
  (db, p: Placeholders<{ userId: string }>) =>
    db.update(suspensions).set({ note: null }).where(eq(suspensions.userId, p.userId)),
)
