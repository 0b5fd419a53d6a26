import { and, eq, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import { type Placeholders, prepareQuery } from '../database/prepare-query.ts'
import { mailBounces } from './tables.ts'

// Addresses that bounced an email. They get only required emails until their owner changes or
// verifies the address (R-notifications-12).

export const saveBounce = prepareQuery(
  'save-bounce',
  (db, p: Placeholders<{ userId: string; address: string; because: string }>) =>
    db
      .insert(mailBounces)
      .values({ userId: p.userId, address: p.address, because: p.because })
      .onConflictDoUpdate({
        target: [mailBounces.userId, mailBounces.address],
        set: { at: now, because: sql`excluded.because` },
      }),
)

export const findBounces = prepareQuery('find-bounces', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select({ address: mailBounces.address, at: mailBounces.at })
    .from(mailBounces)
    .where(eq(mailBounces.userId, p.userId)),
)

/** Called when the address was verified, or when an administrator sends to it again. */
export const deleteBounce = prepareQuery(
  'delete-bounce',
  (db, p: Placeholders<{ userId: string; address: string }>) =>
    db.delete(mailBounces).where(and(eq(mailBounces.userId, p.userId), eq(mailBounces.address, p.address))),
)
