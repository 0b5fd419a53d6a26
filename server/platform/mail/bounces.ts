import { and, eq, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import { type Placeholders, prepared } from '../database/prepared.ts'
import { mailBounces } from './tables.ts'

// Addresses that sent a mail of ours back. Nothing but what their owner needs is sent there, until they change or prove
// them (R-notifications-12).

export const saveBounce = prepared(
  'keep-bounce',
  (db, p: Placeholders<{ userId: string; address: string; because: string }>) =>
    db
      .insert(mailBounces)
      .values({ userId: p.userId, address: p.address, because: p.because })
      .onConflictDoUpdate({
        target: [mailBounces.userId, mailBounces.address],
        set: { at: now, because: sql`excluded.because` },
      }),
)

export const findBounces = prepared('bounces', (db, p: Placeholders<{ userId: string }>) =>
  db
    .select({ address: mailBounces.address, at: mailBounces.at })
    .from(mailBounces)
    .where(eq(mailBounces.userId, p.userId)),
)

/** The address was proven, or an administrator sends there once more. */
export const deleteBounce = prepared(
  'forget-bounce',
  (db, p: Placeholders<{ userId: string; address: string }>) =>
    db.delete(mailBounces).where(and(eq(mailBounces.userId, p.userId), eq(mailBounces.address, p.address))),
)
