import type { TradeEventName, TradeMoveActor, TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import {
  centsColumn,
  idColumn,
  jsonColumn,
  momentColumn,
  now,
  sumColumn,
  versionColumn,
} from '../../platform/database/columns.ts'
import type { StoredPhoto } from '../../platform/storage/pictures.ts'

export const trades = pgTable('trades', {
  id: idColumn('id').primaryKey(),
  ownerId: idColumn('owner_id').notNull(),
  vin: text('vin').notNull(),
  make: text('make').notNull(),
  model: text('model').notNull(),
  year: integer('year').notNull(),
  trim: text('trim').notNull(),
  mileage: integer('mileage').notNull(),
  color: text('color').notNull(),
  zipCode: text('zip_code').notNull(),
  payoff: boolean('payoff').notNull(),
  payoffAmount: centsColumn('payoff_cents'),
  lender: text('lender').notNull().default(''),
  message: text('message').notNull().default(''),
  status: text('status').$type<TradeStatus>().notNull().default('PENDING'),
  priceCents: centsColumn('price_cents'),
  taxCreditCents: centsColumn('tax_credit_cents'),
  taxRate: text('tax_rate'),
  taxRateAsOf: date('tax_rate_as_of'),
  movedAt: momentColumn('moved_at').notNull().default(now),
  offerExpiresAt: momentColumn('offer_expires_at'),
  offeredBy: idColumn('offered_by'),
  expiredPriceCents: centsColumn('expired_price_cents'),
  expiredAt: momentColumn('expired_at'),
  /** Equals `expiredAt` if that offer was withdrawn. */
  withdrawnAt: momentColumn('withdrawn_at'),
  offerNotified: text('offer_told').$type<'REMINDED' | 'ENDED'>(),
  version: versionColumn(),
  createdAt: momentColumn('created_at').notNull().default(now),
  deletedAt: momentColumn('deleted_at'),
  bodyClass: text('body_class'),
  photos: jsonColumn('photos').$type<StoredPhoto[]>().notNull().default([]),
  /** Orders the wholesalers' list; generated as defined in migration 0024. */
  listPlace: momentColumn('list_place').generatedAlwaysAs(sql`migration 0024`),
})
export type TradeRow = typeof trades.$inferSelect
export type NewTrade = typeof trades.$inferInsert

/** One row a day for each person who was shown an owner's contact data. */
export const contactLooks = pgTable(
  'contact_looks',
  {
    personId: idColumn('person_id').notNull(),
    viewerId: idColumn('viewer_id').notNull(),
    tradeId: idColumn('trade_id').notNull(),
    day: date('day').notNull(),
    firstAt: momentColumn('first_at').notNull().default(now),
  },
  (looks) => [primaryKey({ columns: [looks.tradeId, looks.viewerId, looks.day] })],
)

export const tradeEvents = pgTable('trade_events', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tradeId: idColumn('trade_id').notNull(),
  at: momentColumn('at').notNull().default(now),
  actor: text('actor').$type<TradeMoveActor>().notNull(),
  actorId: idColumn('actor_id'),
  event: text('event').$type<TradeEventName>().notNull(),
  status: text('status').$type<TradeStatus>().notNull(),
  priceCents: centsColumn('price_cents'),
  taxCreditCents: centsColumn('tax_credit_cents'),
  taxRate: text('tax_rate'),
  version: bigint('version', { mode: 'number' }).notNull(),
  sessionId: idColumn('session_id'),
  requestId: text('request_id'),
  rowSum: sumColumn(),
})
