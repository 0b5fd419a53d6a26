import type { ClaimedCar, ClaimOutcome } from '@keyturn/contract/cars/claims.ts'
import type { TitleHolder } from '@keyturn/contract/cars/rules.ts'
import { getTableColumns, type SQLWrapper, sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import {
  centsColumn,
  idColumn,
  jsonColumn,
  momentColumn,
  now,
  versionColumn,
} from '../../platform/database/columns.ts'
import type { StoredPhoto } from '../../platform/storage/pictures.ts'

export const cars = pgTable('cars', {
  id: idColumn('id').primaryKey(),
  sellerId: idColumn('seller_id').notNull(),
  vin: text('vin').notNull(),
  make: text('make').notNull(),
  model: text('model').notNull(),
  year: integer('year').notNull(),
  trim: text('trim').notNull(),
  mileage: integer('mileage').notNull(),
  color: text('color').notNull(),
  payoff: boolean('payoff').notNull(),
  /** Counts only while `payoff` is true, like `lender`. */
  payoffAmount: centsColumn('payoff_cents'),
  lender: text('lender').notNull().default(''),
  zipCode: text('zip_code'),
  message: text('message').notNull().default(''),
  priceCents: centsColumn('price_cents'),
  termsVersion: integer('terms_version').notNull().default(1),
  termsAt: momentColumn('terms_at').notNull().default(now),
  version: versionColumn(),
  createdAt: momentColumn('created_at').notNull().default(now),
  completedAt: momentColumn('completed_at'),
  deletedAt: momentColumn('deleted_at'),
  removedBecause: text('removed_because'),
  /** Copied from `vin_answers`, so that reading a car needs no join. */
  bodyClass: text('body_class'),
  photos: jsonColumn('photos').$type<StoredPhoto[]>().notNull().default([]),
  description: text('description').notNull().default(''),
  condition: text('condition').notNull().default(''),
  owners: integer('owners'),
  titleHolder: text('title_holder').$type<TitleHolder>(),
})
export type CarRow = typeof cars.$inferSelect
export type NewCar = typeof cars.$inferInsert

const {
  message,
  payoffAmount,
  lender,
  termsVersion,
  termsAt,
  completedAt,
  deletedAt,
  removedBecause,
  ...publicColumns
} = getTableColumns(cars)
/** The columns of the public page; reading all columns would slow it down. */
export const publicCarColumns = publicColumns
export type PublicCarRow = Pick<CarRow, keyof typeof publicColumns>

/** Reports of people whose car a stranger has listed (R-cars-36). */
export const carClaims = pgTable('car_claims', {
  id: idColumn('id').primaryKey(),
  carId: idColumn('car_id').notNull(),
  claimantId: idColumn('claimant_id').notNull(),
  reason: text('reason'),
  facts: jsonColumn('facts').$type<ClaimedCar>(),
  claimedAt: momentColumn('claimed_at').notNull().default(now),
  handledAt: momentColumn('handled_at'),
  outcome: text('outcome').$type<ClaimOutcome>(),
})

export const vinAnswers = pgTable('vin_answers', {
  vin: text('vin').primaryKey(),
  make: text('make'),
  model: text('model'),
  year: integer('year'),
  trim: text('trim'),
  bodyClass: text('body_class'),
  askedAt: momentColumn('asked_at').notNull().default(now),
})
export type VinAnswer = typeof vinAnswers.$inferSelect

/** The known body class of a VIN, for a new car or trade. */
export const bodyClassSql = (vin: string | SQLWrapper) =>
  sql<
    string | null
  >`(select nullif(${vinAnswers.bodyClass}, '') from ${vinAnswers} where ${vinAnswers.vin} = ${vin})`
