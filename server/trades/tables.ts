import type { TradeEventName, TradeParty, TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, char, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const trades = pgTable('trades', {
  id: char('id', { length: 24 }).primaryKey(),
  ownerId: char('owner_id', { length: 24 }).notNull(),
  vin: text('vin').notNull(),
  make: text('make').notNull(),
  model: text('model').notNull(),
  year: integer('year').notNull(),
  trim: text('trim').notNull(),
  mileage: integer('mileage').notNull(),
  color: text('color').notNull(),
  zipCode: text('zip_code').notNull(),
  payoff: boolean('payoff').notNull(),
  message: text('message').notNull().default(''),
  status: text('status').$type<TradeStatus>().notNull().default('PENDING'),
  priceCents: bigint('price_cents', { mode: 'number' }),
  taxCreditCents: bigint('tax_credit_cents', { mode: 'number' }),
  taxRate: text('tax_rate'),
  movedAt: moment('moved_at').notNull().default(sql`keyturn_now()`),
  offerExpiresAt: moment('offer_expires_at'),
  offeredBy: char('offered_by', { length: 24 }),
  version: bigint('version', { mode: 'number' }).notNull().default(sql`nextval('row_versions')`),
  createdAt: moment('created_at').notNull().default(sql`keyturn_now()`),
  deletedAt: moment('deleted_at'),
})
export type TradeRow = typeof trades.$inferSelect
export type NewTrade = typeof trades.$inferInsert

export const tradeEvents = pgTable('trade_events', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  tradeId: char('trade_id', { length: 24 }).notNull(),
  at: moment('at').notNull().default(sql`keyturn_now()`),
  actor: text('actor').$type<TradeParty>().notNull(),
  actorId: char('actor_id', { length: 24 }),
  event: text('event').$type<TradeEventName>().notNull(),
  status: text('status').$type<TradeStatus>().notNull(),
  priceCents: bigint('price_cents', { mode: 'number' }),
  taxCreditCents: bigint('tax_credit_cents', { mode: 'number' }),
  taxRate: text('tax_rate'),
  version: bigint('version', { mode: 'number' }).notNull(),
  sessionId: char('session_id', { length: 24 }),
  requestId: text('request_id'),
})
export type TradeEventRow = typeof tradeEvents.$inferSelect
