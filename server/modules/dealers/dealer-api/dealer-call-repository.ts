import { and, eq, sql } from 'drizzle-orm'
import { type Placeholders, prepared } from '../../../platform/database/prepared.ts'
import { deals } from '../../deals/tables.ts'
import { partnerCalls } from '../tables.ts'

/** Read without a lock; the caller then locks the car it names. */
export const findPassedDeal = prepared('passed-deal', (db, p: Placeholders<{ packageId: string }>) =>
  db
    .select({
      dealId: deals.id,
      carId: deals.carId,
      buyerId: deals.buyerId,
      dealerId: deals.dealerId,
      isCancelled: sql<boolean>`${deals.withdrawnAt} is not null`,
    })
    .from(deals)
    .where(eq(deals.packageId, p.packageId)),
)

export const lockDealById = prepared('lock-deal', (db, p: Placeholders<{ id: string }>) =>
  db.select({ id: deals.id }).from(deals).where(eq(deals.id, p.id)).for('update'),
)

type Kept = { dealerId: string; webhookId: string; packageId: string; bodyDigest: Buffer }

/** Returns the row if it is new; an existing row was already processed. */
export const insertDealerCall = prepared('keep-partner-call', (db, p: Placeholders<Kept>) =>
  db
    .insert(partnerCalls)
    .values({
      dealerId: p.dealerId,
      webhookId: p.webhookId,
      packageId: p.packageId,
      bodyDigest: p.bodyDigest,
    })
    .onConflictDoNothing()
    .returning({ webhookId: partnerCalls.webhookId }),
)

export const findCall = prepared(
  'partner-call',
  (db, p: Placeholders<{ dealerId: string; webhookId: string }>) =>
    db
      .select({ packageId: partnerCalls.packageId, bodyDigest: partnerCalls.bodyDigest })
      .from(partnerCalls)
      .where(and(eq(partnerCalls.dealerId, p.dealerId), eq(partnerCalls.webhookId, p.webhookId))),
)
