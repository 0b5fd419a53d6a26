import type { DealMove } from '@keyturn/contract/deals/rules.ts'
import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { nextVersion, now } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import { cars } from '../cars/tables.ts'
import { hasHoldEnded, isNotWithdrawn, isPending, oldestFirst } from './state-sql.ts'
import { deals } from './tables.ts'

export const lockBuyerDeal = prepareQuery(
  'lock-buyer-deal',
  (db, p: Placeholders<{ carId: string; buyerId: string }>) =>
    db
      .select()
      .from(deals)
      .where(and(eq(deals.carId, p.carId), eq(deals.buyerId, p.buyerId), isNotWithdrawn))
      .for('update'),
)

/** Locks every car that a person sells or buys, in a fixed order to prevent deadlocks. */
export const lockCarsOfPerson = prepareQuery(
  'lock-cars-of-person',
  (db, p: Placeholders<{ personId: string }>) =>
    db
      .select({ carId: cars.id })
      .from(cars)
      .where(
        and(
          isNull(cars.deletedAt),
          sql`${cars.id} in (select ${cars.id} from ${cars} where ${cars.sellerId} = ${p.personId}
          union select ${deals.carId} from ${deals} where ${deals.buyerId} = ${p.personId} and ${isNotWithdrawn})`,
        ),
      )
      .orderBy(asc(cars.id))
      .for('update'),
)

export const findDealsOfCar = prepareQuery('find-deals-of-car', (db, p: Placeholders<{ carId: string }>) =>
  db
    .select()
    .from(deals)
    .where(and(eq(deals.carId, p.carId), isNotWithdrawn))
    .orderBy(...oldestFirst),
)

// Changes. Each one gives the row its next version.

export const insertDeal = prepareQuery(
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
export const termsVersionBump = { termsVersion: sql`${deals.termsVersion} + 1`, termsAt: now }

export const noProposal = { proposedCents: null, proposedAt: null, proposedTerms: null }

export const lockEndedHolds = prepareQuery('lock-ended-holds', (db, p: Placeholders<{ carId: string }>) =>
  db
    .select({ id: deals.id })
    .from(deals)
    .where(and(eq(deals.carId, p.carId), hasHoldEnded))
    .for('update'),
)

/** Cars with an ended hold, read without a lock; the caller lapses each one under its lock. */
export const findCarsWithEndedHold = prepareQuery(
  'find-cars-with-ended-hold',
  (db, p: Placeholders<{ limit: number }>) =>
    db.select({ carId: deals.carId }).from(deals).where(hasHoldEnded).limit(p.limit),
)

export const findCarsWithEndedHoldOf = prepareQuery(
  'find-cars-with-ended-hold-of',
  (db, p: Placeholders<{ personId: string }>) =>
    db
      .select({ carId: deals.carId })
      .from(deals)
      .where(and(hasHoldEnded, or(eq(deals.sellerId, p.personId), eq(deals.buyerId, p.personId)))),
)

/** Raises the version of every deal on the car after a change to data that they share. */
export const raiseDealVersions = prepareQuery(
  'raise-deal-versions',
  (db, p: Placeholders<{ carId: string }>) =>
    db
      .update(deals)
      .set({ version: nextVersion })
      .where(and(eq(deals.carId, p.carId), isNotWithdrawn)),
)

/**
 * Raises the version of the waiting deals after a confirmation, so that their buyers must read it
 * before signing, and ends proposals that they could not accept.
 */
export const raiseWaitingDealVersions = prepareQuery(
  'raise-waiting-deal-versions',
  (db, p: Placeholders<{ carId: string }>) =>
    db
      .update(deals)
      .set({ ...noProposal, version: nextVersion })
      .where(and(eq(deals.carId, p.carId), isPending, isNotWithdrawn)),
)

/** Finds the car of a buyer's own deal by VIN without a lock; the caller then locks that car. */
export const findCarOfOwnDeal = prepareQuery(
  'find-car-of-own-deal',
  (db, p: Placeholders<{ buyerId: string; vin: string }>) =>
    db
      .select({ carId: deals.carId })
      .from(deals)
      .innerJoin(cars, eq(cars.id, deals.carId))
      .where(and(eq(deals.buyerId, p.buyerId), eq(cars.vin, p.vin), isNotWithdrawn))
      .orderBy(sql`${cars.completedAt} desc nulls first`, desc(deals.createdAt))
      .limit(1),
)

export const findOtherBuyers = prepareQuery(
  'find-other-buyers',
  (db, p: Placeholders<{ carId: string; exceptDealId: string }>) =>
    db
      .select({
        id: deals.buyerId,
        dealId: deals.id,
        audience: sql<'WAITING' | 'INTERESTED'>`case when ${isPending} then 'WAITING' else 'INTERESTED' end`,
      })
      .from(deals)
      .where(and(eq(deals.carId, p.carId), isNotWithdrawn, sql`${deals.id} <> ${p.exceptDealId}`)),
)
/** Reads a passed deal without a lock; the caller then locks the car that it names. */
export const findPassedDeal = prepareQuery('find-passed-deal', (db, p: Placeholders<{ packageId: string }>) =>
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
export const lockDealById = prepareQuery('lock-deal-by-id', (db, p: Placeholders<{ id: string }>) =>
  db.select({ id: deals.id }).from(deals).where(eq(deals.id, p.id)).for('update'),
)
/** The columns a move changes. A withdrawal leaves the status as it was. */
export const columnsAfterMove = ({ to }: DealMove) =>
  to === 'WITHDRAWN' ? { withdrawnAt: now } : { status: to }
