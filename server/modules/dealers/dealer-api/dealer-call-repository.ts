import { and, eq } from 'drizzle-orm'
import { type Placeholders, prepared } from '../../../platform/database/prepared.ts'
import { partnerCalls } from '../tables.ts'

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
