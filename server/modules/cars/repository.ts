import type { CarChecks } from '@keyturn/contract/cars/car-pages.ts'
import { optionalDetails } from '@keyturn/contract/cars/endpoints.ts'
import { and, desc, eq, exists, isNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { nextVersion, now } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import type { PictureUse } from '../../platform/storage/sweep-pictures.ts'
import { users } from '../accounts/tables.ts'
import { dealerFactsSql, isNotWithdrawn, isReserved } from '../deals/state-sql.ts'
import { deals, hasCar } from '../deals/tables.ts'
import {
  bodyClassSql,
  type CarRow,
  cars,
  type NewCar,
  publicCarColumns,
  type VinAnswer,
  vinAnswers,
} from './tables.ts'

type CarLink = { sellerId: string; vin: string }
const publicCarOf = (db: Db) => ({
  car: publicCarColumns,
  seller: {
    _id: users.id,
    firstName: users.firstName,
    lastName: users.lastName,
    email: sql<string>`coalesce(${users.email}, '')`,
    phoneNumber: users.phoneNumber,
  },
  /** The seller's account is suspended. */
  isHidden: sql<boolean>`${users.suspendedAt} is not null`,
  accepted: sql<boolean>`${exists(
    db
      .select({ one: sql`1` })
      .from(deals)
      .where(and(eq(deals.carId, cars.id), hasCar(deals))),
  )}`,
})
const isLinked = (p: Placeholders<CarLink>) =>
  and(eq(cars.sellerId, p.sellerId), eq(cars.vin, p.vin), isNull(cars.deletedAt), isNull(cars.completedAt))

/** The query of the shared link's JSON (see `npm run bench`). */
export const findPublicCar = prepareQuery('find-public-car', (db, p: Placeholders<CarLink>) =>
  db.select(publicCarOf(db)).from(cars).innerJoin(users, eq(users.id, cars.sellerId)).where(isLinked(p)),
)

/** The query of the shared link's page, the hottest of all: the car with its checks and its dealer. */
export const findCarForPage = prepareQuery('find-car-for-page', (db, p: Placeholders<CarLink>) =>
  db
    .select({
      ...publicCarOf(db),
      isEmailConfirmed: sql<boolean>`${users.verifiedAt} is not null`,
      decoded: sql<CarChecks['decoded']>`(
        select json_build_object('year', ${vinAnswers.year}, 'make', ${vinAnswers.make}, 'carModel', ${vinAnswers.model})
        from ${vinAnswers} where ${vinAnswers.vin} = ${cars.vin} and ${vinAnswers.year} = ${cars.year}
          and lower(${vinAnswers.make}) = lower(${cars.make}) and lower(${vinAnswers.model}) = lower(${cars.model}))`,
      dealer: dealerFactsSql(sql`(
        select ${deals.dealerId} from ${deals} where ${deals.carId} = ${cars.id}
          and ${deals.passedAt} is not null and ${deals.withdrawnAt} is null)`),
    })
    .from(cars)
    .innerJoin(users, eq(users.id, cars.sellerId))
    .where(isLinked(p)),
)

/** Finds the seller of the live listing of this VIN; there is at most one. */
export const findLiveListing = prepareQuery('find-live-listing', (db, p: Placeholders<{ vin: string }>) =>
  db
    .select({ id: cars.id, sellerId: cars.sellerId })
    .from(cars)
    .where(and(eq(cars.vin, p.vin), isNull(cars.deletedAt), isNull(cars.completedAt))),
)

/** The seller's newest listing of this VIN, a live one before a completed one. */
export const findListing = prepareQuery(
  'find-listing',
  (db, p: Placeholders<{ sellerId: string; vin: string }>) =>
    db
      .select({ id: cars.id })
      .from(cars)
      .where(and(eq(cars.sellerId, p.sellerId), eq(cars.vin, p.vin), isNull(cars.deletedAt)))
      .orderBy(sql`${cars.completedAt} desc nulls first`, desc(cars.createdAt))
      .limit(1),
)

export async function insertCar(tx: Db, row: NewCar): Promise<CarRow> {
  const [made] = await tx
    .insert(cars)
    .values({ ...row, bodyClass: bodyClassSql(row.vin) })
    .returning()
  return made as CarRow
}

export const findVinAnswer = prepareQuery('find-vin-answer', (db, p: Placeholders<{ vin: string }>) =>
  db.select().from(vinAnswers).where(eq(vinAnswers.vin, p.vin)),
)

export async function insertVinAnswer(db: Db, row: Omit<VinAnswer, 'askedAt'>): Promise<void> {
  await db.insert(vinAnswers).values(row).onConflictDoNothing()
}

const noTexts = Object.fromEntries(
  Object.entries(optionalDetails.parse({})).filter(([, value]) => value === ''),
)

const isPassed = sql`exists (select from ${deals} where ${deals.carId} = ${cars.id} and ${deals.passedAt} is not null)`

/**
 * Erases a seller's texts about their cars, except messages on listings that are not deleted, and
 * what was owed on cars unless both have signed it.
 */
export const eraseCarTexts = prepareQuery('erase-car-texts', (db, p: Placeholders<{ sellerId: string }>) =>
  db
    .update(cars)
    .set({
      message: sql`case when ${cars.deletedAt} is null then ${cars.message} else '' end`,
      payoffAmount: sql`case when ${isPassed} then ${cars.payoffAmount} end`,
      lender: sql`case when ${isPassed} then ${cars.lender} else '' end`,
      ...noTexts,
    })
    .where(eq(cars.sellerId, p.sellerId)),
)

/** Deletes unknown VINs after a day, so that they are looked up again in newer data. */
export async function deleteOldUnknownVins(db: Db): Promise<void> {
  await db.execute(
    sql`delete from vin_answers where make is null and asked_at < keyturn_now() - interval '1 day'`,
  )
}

/** For the deletion of unused pictures. */
export const carPictureUse: PictureUse = {
  isUsed: (id) =>
    sql`exists (select from ${cars} where ${cars.photos} <> '[]' and ${cars.photos} @> ${photosWith(id)}::jsonb)`,
}

const photosWith = (id: string) => JSON.stringify([{ id }])

// Locks. The order is always person, car, deal, trade, signature.

export const lockCar = prepareQuery('lock-car', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({ car: cars, now })
    .from(cars)
    .where(and(eq(cars.id, p.id), isNull(cars.deletedAt)))
    .for('update'),
)
/** Locks a seller's newest listing of a VIN, live before completed. */
export const lockListing = prepareQuery(
  'lock-listing',
  (db, p: Placeholders<{ sellerId: string; vin: string }>) =>
    db
      .select({ car: cars, now })
      .from(cars)
      .where(and(eq(cars.sellerId, p.sellerId), eq(cars.vin, p.vin), isNull(cars.deletedAt)))
      .orderBy(sql`${cars.completedAt} desc nulls first`, desc(cars.createdAt))
      .limit(1)
      .for('update'),
)
export const lockLiveCarByVin = prepareQuery('lock-live-car-by-vin', (db, p: Placeholders<{ vin: string }>) =>
  db
    .select({ car: cars, now })
    .from(cars)
    .where(and(eq(cars.vin, p.vin), isNull(cars.deletedAt), isNull(cars.completedAt)))
    .for('update'),
)

export async function saveCar(tx: Db, id: string, changes: PgUpdateSetSource<typeof cars>): Promise<void> {
  await tx
    .update(cars)
    .set({ ...changes, version: nextVersion })
    .where(eq(cars.id, id))
}

export const noLoan = { payoffAmount: null, lender: '' }
/** Bumps the car's terms version, which voids every signature on the old terms. */
export const nextCarTerms = { termsVersion: sql`${cars.termsVersion} + 1`, termsAt: now }

/**
 * Sets the price of a car locked by the caller. Does nothing when a buyer is confirmed or a request
 * is newer than version `seen`. Returns the changed columns and the number of buyers, or no row.
 */
export const setPrice = prepareQuery(
  'set-price',
  (db, p: Placeholders<{ carId: string; priceCents: number; seen: number }>) =>
    db
      .update(cars)
      .set({ priceCents: sql`${p.priceCents}`, version: nextVersion })
      .where(
        and(
          eq(cars.id, p.carId),
          sql`not exists (select 1 from ${deals} where ${deals.carId} = ${cars.id}
            and (${isReserved} and ${isNotWithdrawn} or ${deals.status} <> 'STARTED' and ${deals.version} > ${p.seen}))`,
        ),
      )
      .returning({
        priceCents: cars.priceCents,
        version: cars.version,
        // Counts requests and all deals, except withdrawn ones. Table names are written out because
        // drizzle omits them in RETURNING.
        buyers: sql<
          [requests: number, all: number]
        >`(select array[count(*) filter (where ${deals}.status <> 'STARTED'), count(*)]::int[]
          from ${deals} where ${deals}.car_id = ${cars}.id and ${isNotWithdrawn})`,
      }),
)
