import type { DealMove } from '@keyturn/contract/deals/rules.ts'
import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { nextVersion, now } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepared } from '../../platform/database/prepared.ts'
import { users } from '../accounts/tables.ts'
import { cars } from '../cars/tables.ts'
import { hasHoldEnded, isPending, notWithdrawn, oldestFirst } from './state-sql.ts'
import { deals } from './tables.ts'

export const lockDealOf = prepared(
  'lock-deal-of',
  (db, p: Placeholders<{ carId: string; buyerId: string }>) =>
    db
      .select()
      .from(deals)
      .where(and(eq(deals.carId, p.carId), eq(deals.buyerId, p.buyerId), notWithdrawn))
      .for('update'),
)

/** Locks every car that a person sells or buys, in one order against deadlocks. */
export const lockCarsOfPerson = prepared('lock-cars-of-person', (db, p: Placeholders<{ personId: string }>) =>
  db
    .select({ carId: cars.id })
    .from(cars)
    .where(
      and(
        isNull(cars.deletedAt),
        sql`${cars.id} in (select ${cars.id} from ${cars} where ${cars.sellerId} = ${p.personId}
          union select ${deals.carId} from ${deals} where ${deals.buyerId} = ${p.personId} and ${notWithdrawn})`,
      ),
    )
    .orderBy(asc(cars.id))
    .for('update'),
)

export const findDealsOfCar = prepared('deals-of-car', (db, p: Placeholders<{ carId: string }>) =>
  db
    .select()
    .from(deals)
    .where(and(eq(deals.carId, p.carId), notWithdrawn))
    .orderBy(...oldestFirst),
)

// Changes. Each one gives the row its next version.

export const insertDeal = prepared(
  'insert-deal',
  (db, p: Placeholders<{ id: string; carId: string; sellerId: string; buyerId: string }>) =>
    db
      .insert(deals)
      .values({ id: p.id, carId: p.carId, sellerId: p.sellerId, buyerId: p.buyerId })
      .onConflictDoNothing()
      .returning({ id: deals.id }),
)

export async function saveDeal(tx: Db, id: string, changes: PgUpdateSetSource<typeof deals>): Promise<void> {
  await tx
    .update(deals)
    .set({ ...changes, version: nextVersion })
    .where(eq(deals.id, id))
}

/** Bumps the deal's terms version, which voids every signature on the old terms. */
export const newDealTerms = { termsVersion: sql`${deals.termsVersion} + 1`, termsAt: now }

export const noProposal = { proposedCents: null, proposedAt: null, proposedTerms: null }

export const lockEndedHolds = prepared('lock-ended-holds', (db, p: Placeholders<{ carId: string }>) =>
  db
    .select({ id: deals.id })
    .from(deals)
    .where(and(eq(deals.carId, p.carId), hasHoldEnded))
    .for('update'),
)

/** Cars with an ended hold, read without a lock; the caller lapses each one under its lock. */
export const findCarsWithEndedHold = prepared('cars-due', (db, p: Placeholders<{ limit: number }>) =>
  db.select({ carId: deals.carId }).from(deals).where(hasHoldEnded).limit(p.limit),
)

export const findCarsWithEndedHoldOf = prepared('cars-due-of', (db, p: Placeholders<{ personId: string }>) =>
  db
    .select({ carId: deals.carId })
    .from(deals)
    .where(and(hasHoldEnded, or(eq(deals.sellerId, p.personId), eq(deals.buyerId, p.personId)))),
)

/** Raises the version of every deal on the car after a change to data that they share. */
export const raiseVersions = prepared('raise-versions', (db, p: Placeholders<{ carId: string }>) =>
  db
    .update(deals)
    .set({ version: nextVersion })
    .where(and(eq(deals.carId, p.carId), notWithdrawn)),
)

/**
 * Raises the version of the waiting deals after a confirmation, so that their buyers must read it
 * before signing, and ends proposals that they could not accept.
 */
export const raiseWaiting = prepared('raise-waiting', (db, p: Placeholders<{ carId: string }>) =>
  db
    .update(deals)
    .set({ ...noProposal, version: nextVersion })
    .where(and(eq(deals.carId, p.carId), isPending, notWithdrawn)),
)

/** Finds the car of a buyer's own deal by VIN without a lock; the caller then locks that car. */
export const findOwnDeal = prepared('own-deal', (db, p: Placeholders<{ buyerId: string; vin: string }>) =>
  db
    .select({ carId: deals.carId })
    .from(deals)
    .innerJoin(cars, eq(cars.id, deals.carId))
    .where(and(eq(deals.buyerId, p.buyerId), eq(cars.vin, p.vin), notWithdrawn))
    .orderBy(sql`${cars.completedAt} desc nulls first`, desc(deals.createdAt))
    .limit(1),
)

export const findWaitingAddresses = prepared(
  'waiting-addresses',
  (db, p: Placeholders<{ carId: string; exceptDealId: string }>) =>
    db
      .select({ id: users.id, email: users.email, dealId: deals.id })
      .from(deals)
      .innerJoin(users, eq(users.id, deals.buyerId))
      .where(and(eq(deals.carId, p.carId), isPending, notWithdrawn, sql`${deals.id} <> ${p.exceptDealId}`)),
)
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
/** The columns a move changes. A withdrawal leaves the status as it was. */
export const movedTo = ({ to }: DealMove) => (to === 'WITHDRAWN' ? { withdrawnAt: now } : { status: to })
