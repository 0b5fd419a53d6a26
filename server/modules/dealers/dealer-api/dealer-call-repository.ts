import { and, eq } from 'drizzle-orm'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { partnerCalls } from '../tables.ts'

type DealerCall = { dealerId: string; webhookId: string; packageId: string; bodyDigest: Buffer }

/** Returns the row if it is new; an existing row was already processed. */
export const insertDealerCall = prepareQuery('insert-dealer-call', (db, p: Placeholders<DealerCall>) =>
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

export const findDealerCall = prepareQuery(
  'find-dealer-call',
  (db, p: Placeholders<{ dealerId: string; webhookId: string }>) =>
    db
      .select({ packageId: partnerCalls.packageId, bodyDigest: partnerCalls.bodyDigest })
      .from(partnerCalls)
      .where(and(eq(partnerCalls.dealerId, p.dealerId), eq(partnerCalls.webhookId, p.webhookId))),
)
