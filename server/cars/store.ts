import { and, desc, eq, exists, isNull, sql } from 'drizzle-orm'
import { users } from '../accounts/tables.ts'
import type { Db } from '../db/open.ts'
import { type Given, prepared } from '../db/prepared.ts'
import { deals, hasCar } from '../deals/tables.ts'
import type { PictureUse } from '../media/sweeping.ts'
import { bodyClassOf, cars, type NewCar, vinAnswers } from './tables.ts'

/** The address and the rows of the shared link: one read, the hottest of all (see `npm run bench`). */
export const findPublicCar = prepared('public-car', (db, p: Given<{ sellerId: string; vin: string }>) =>
  db
    .select({
      id: cars.id,
      sellerId: cars.sellerId,
      vin: cars.vin,
      make: cars.make,
      model: cars.model,
      year: cars.year,
      trim: cars.trim,
      mileage: cars.mileage,
      color: cars.color,
      payoff: cars.payoff,
      bodyClass: cars.bodyClass,
      photos: cars.photos,
      description: cars.description,
      condition: cars.condition,
      owners: cars.owners,
      titleHolder: cars.titleHolder,
      priceCents: cars.priceCents,
      zipCode: cars.zipCode,
      version: cars.version,
      createdAt: cars.createdAt,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      phoneNumber: users.phoneNumber,
      accepted: sql<boolean>`${exists(
        db
          .select({ one: sql`1` })
          .from(deals)
          .where(and(eq(deals.carId, cars.id), hasCar(deals))),
      )}`,
    })
    .from(cars)
    .innerJoin(users, eq(users.id, cars.sellerId))
    .where(
      and(
        eq(cars.sellerId, p.sellerId),
        eq(cars.vin, p.vin),
        isNull(cars.deletedAt),
        isNull(cars.completedAt),
      ),
    ),
)

/** The seller whose live listing has this VIN: there is at most one. */
export const findLiveListing = prepared('live-listing', (db, p: Given<{ vin: string }>) =>
  db
    .select({ id: cars.id, sellerId: cars.sellerId })
    .from(cars)
    .where(and(eq(cars.vin, p.vin), isNull(cars.deletedAt), isNull(cars.completedAt))),
)

/** Which of these listings are there still, and not sold. */
export const findLiveAmong = prepared('live-among', (db, p: Given<{ ids: string[] }>) =>
  db
    .select({ id: cars.id })
    .from(cars)
    .where(
      and(sql`${cars.id} = any(${p.ids}::char(24)[])`, isNull(cars.deletedAt), isNull(cars.completedAt)),
    ),
)

/** The newest listing of this seller with this VIN, a live one before a completed one. */
export const findListing = prepared('listing', (db, p: Given<{ sellerId: string; vin: string }>) =>
  db
    .select({ id: cars.id })
    .from(cars)
    .where(and(eq(cars.sellerId, p.sellerId), eq(cars.vin, p.vin), isNull(cars.deletedAt)))
    .orderBy(sql`${cars.completedAt} desc nulls first`, desc(cars.createdAt))
    .limit(1),
)

export const insertCar = prepared(
  'insert-car',
  (db, p: Given<{ [K in keyof Required<NewCarFields>]: NewCarFields[K] }>) =>
    db
      .insert(cars)
      .values({
        id: p.id,
        sellerId: p.sellerId,
        vin: p.vin,
        make: p.make,
        model: p.model,
        year: p.year,
        trim: p.trim,
        mileage: p.mileage,
        color: p.color,
        payoff: p.payoff,
        zipCode: p.zipCode,
        message: p.message,
        priceCents: p.priceCents,
        bodyClass: bodyClassOf(p.vin),
      })
      .returning(),
)
type NewCarFields = Pick<
  NewCar,
  | 'id'
  | 'sellerId'
  | 'vin'
  | 'make'
  | 'model'
  | 'year'
  | 'trim'
  | 'mileage'
  | 'color'
  | 'payoff'
  | 'zipCode'
  | 'message'
  | 'priceCents'
>

export const findVinAnswer = prepared('vin-answer', (db, p: Given<{ vin: string }>) =>
  db.select().from(vinAnswers).where(eq(vinAnswers.vin, p.vin)),
)

export const keepVinAnswer = prepared(
  'keep-vin-answer',
  (
    db,
    p: Given<{
      vin: string
      make: string | null
      model: string | null
      year: number | null
      trim: string | null
      bodyClass: string | null
    }>,
  ) =>
    db
      .insert(vinAnswers)
      .values({
        vin: p.vin,
        make: p.make,
        model: p.model,
        year: p.year,
        trim: p.trim,
        bodyClass: p.bodyClass,
      })
      .onConflictDoNothing(),
)

/** What a seller said about their cars, but to a buyer who still reads it where the sale was completed. */
export const eraseWords = prepared('erase-car-words', (db, p: Given<{ sellerId: string }>) =>
  db
    .update(cars)
    .set({
      message: sql`case when ${cars.deletedAt} is null then ${cars.message} else '' end`,
      description: '',
      condition: '',
    })
    .where(eq(cars.sellerId, p.sellerId)),
)

/** Newer data may know a car that was unknown: it is looked up again when somebody asks. */
export async function deleteOldUnknownVins(db: Db): Promise<void> {
  await db.execute(
    sql`delete from vin_answers where make is null and asked_at < keyturn_now() - interval '1 day'`,
  )
}

/** For whoever sweeps pictures. */
export const carPictures: PictureUse = {
  isUsed: (id) =>
    sql`exists (select from ${cars} where ${cars.photos} <> '[]' and ${cars.photos} @> ${photosWith(id)}::jsonb)`,
}
const photosWith = (id: string) => JSON.stringify([{ id }])
