import { and, desc, eq, exists, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { now, pickColumns } from '../../../platform/database/columns.ts'
import { cursorTime, isAfterCursor } from '../../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { users } from '../../accounts/tables.ts'
import { isNotWithdrawn, isReserved } from '../../deals/state-sql.ts'
import { deals } from '../../deals/tables.ts'
import { carClaims, cars } from '../tables.ts'

const seller = alias(users, 'seller')
const claimant = alias(users, 'claimant')
const contactData = ['id', 'firstName', 'lastName', 'email', 'phoneNumber'] as const

type NewClaim = { id: string; carId: string; claimantId: string; reason: string; facts: string }

/** Stores a claim. It replaces an open one of the same person; a decided one stays. */
export const upsertClaim = prepareQuery('upsert-claim', (db, p: Placeholders<NewClaim>) =>
  db
    .insert(carClaims)
    .values({
      id: p.id,
      carId: p.carId,
      claimantId: p.claimantId,
      reason: p.reason,
      facts: sql`${p.facts}::jsonb`,
    })
    .onConflictDoUpdate({
      target: [carClaims.carId, carClaims.claimantId],
      targetWhere: isNull(carClaims.handledAt),
      set: { reason: sql`excluded.reason`, facts: sql`excluded.facts`, claimedAt: now },
    }),
)

export const findClaims = prepareQuery(
  'find-claims',
  (db, p: Placeholders<{ limit: number; afterAt: string | null; afterId: string | null }>) =>
    db
      .select({
        claim: carClaims,
        at: cursorTime(carClaims.claimedAt),
        car: cars,
        isReserved: sql<boolean>`${exists(
          db
            .select({ one: sql`1` })
            .from(deals)
            .where(and(eq(deals.carId, cars.id), isReserved, isNotWithdrawn)),
        )}`,
        seller: pickColumns(seller, ...contactData),
        claimant: pickColumns(claimant, ...contactData),
      })
      .from(carClaims)
      .innerJoin(cars, eq(cars.id, carClaims.carId))
      .innerJoin(seller, eq(seller.id, cars.sellerId))
      .innerJoin(claimant, eq(claimant.id, carClaims.claimantId))
      .where(isAfterCursor(carClaims.claimedAt, carClaims.id, p))
      .orderBy(desc(carClaims.claimedAt), desc(carClaims.id))
      .limit(p.limit),
)
export type ClaimRow = RowOf<typeof findClaims>

export const findClaim = prepareQuery('find-claim', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({ id: carClaims.id, claimantId: carClaims.claimantId, outcome: carClaims.outcome })
    .from(carClaims)
    .where(eq(carClaims.id, p.id)),
)

const closedClaim = {
  claimantId: carClaims.claimantId,
  facts: carClaims.facts,
  email: sql<
    string | null
  >`(select ${users}.email from ${users} where ${users}.id = ${carClaims}.claimant_id)`,
  isSold: sql<boolean>`(select ${cars}.completed_at is not null from ${cars} where ${cars}.id = ${carClaims}.car_id)`,
}

/** Decides one claim, and returns its claimant if it was open. */
export const markListingKept = prepareQuery('mark-listing-kept', (db, p: Placeholders<{ id: string }>) =>
  db
    .update(carClaims)
    .set({ handledAt: now, outcome: 'KEPT' })
    .where(and(eq(carClaims.id, p.id), isNull(carClaims.handledAt)))
    .returning(closedClaim),
)

/** Decides every open claim on a car whose listing is removed. */
export const closeClaims = prepareQuery('close-claims', (db, p: Placeholders<{ carId: string }>) =>
  db
    .update(carClaims)
    .set({ handledAt: now, outcome: 'REMOVED' })
    .where(and(eq(carClaims.carId, p.carId), isNull(carClaims.handledAt)))
    .returning(closedClaim),
)
export type ClosedClaim = RowOf<typeof closeClaims>

export const eraseClaims = prepareQuery('erase-claims', (db, p: Placeholders<{ personId: string }>) =>
  db.update(carClaims).set({ reason: null, facts: null }).where(eq(carClaims.claimantId, p.personId)),
)
