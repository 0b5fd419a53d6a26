import type { DealEventName } from '@keyturn/contract/deals/events.ts'
import type { DealParty, DealStatus } from '@keyturn/contract/deals/rules.ts'
import type { Financing } from '@keyturn/contract/deals/shapes.ts'
import { type SQL, sql } from 'drizzle-orm'
import { bigint, boolean, integer, type PgTable, pgTable, text } from 'drizzle-orm/pg-core'
import {
  bytesColumn,
  centsColumn,
  idColumn,
  jsonColumn,
  momentColumn,
  now,
  sumColumn,
  versionColumn,
} from '../../platform/database/columns.ts'

export const deals = pgTable('deals', {
  id: idColumn('id').primaryKey(),
  carId: idColumn('car_id').notNull(),
  sellerId: idColumn('seller_id').notNull(),
  buyerId: idColumn('buyer_id').notNull(),
  status: text('status').$type<DealStatus>().notNull().default('STARTED'),
  priceCents: centsColumn('price_cents'),
  sellerMessage: text('seller_message').notNull().default(''),
  activeStep: integer('active_step').notNull().default(0),
  reachedStep: integer('reached_step').notNull().default(0),
  hasTrade: boolean('has_trade'),
  needsFinancing: boolean('needs_financing'),
  financing: jsonColumn('financing').$type<Financing>(),
  chosenTradeVins: text('chosen_trade_vins').array().notNull().default(sql`'{}'`),
  termsVersion: integer('terms_version').notNull().default(1),
  termsAt: momentColumn('terms_at').notNull().default(now),
  version: versionColumn(),
  createdAt: momentColumn('created_at').notNull().default(now),
  requestedAt: momentColumn('requested_at'),
  acceptedAt: momentColumn('accepted_at'),
  exclusiveUntil: momentColumn('exclusive_until'),
  lapsedAt: momentColumn('lapsed_at'),
  passedAt: momentColumn('passed_at'),
  packageId: idColumn('package_id'),
  completedAt: momentColumn('completed_at'),
  withdrawnAt: momentColumn('withdrawn_at'),
  /** Set with `passedAt`. Until then the deal belongs to the nearest dealer (`dealer_for`). */
  dealerId: idColumn('dealer_id'),
  soldElsewhere: boolean('sold_elsewhere').notNull().default(false),
})

/** The car is reserved or sold in this deal. Takes the table, because queries also use aliases. */
export const hasCar = (deal: PgTable): SQL<boolean> => sql`has_car(${deal})`

/** The number of deals in each state, stored as increments to sum (decision 51). */
export const dealCounts = pgTable('deal_counts', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  state: text('state').notNull(),
  change: bigint('change', { mode: 'number' }).notNull(),
})

export const dealTrades = pgTable('deal_trades', {
  tradeId: idColumn('trade_id').primaryKey(),
  dealId: idColumn('deal_id').notNull(),
})

export const dealEvents = pgTable('deal_events', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  dealId: idColumn('deal_id').notNull(),
  at: momentColumn('at').notNull().default(now),
  actor: text('actor').$type<DealParty>().notNull(),
  actorId: idColumn('actor_id'),
  event: text('event').$type<DealEventName>().notNull(),
  /** Read by `decodeDealEvent`. */
  facts: jsonColumn('facts').notNull(),
  sessionId: idColumn('session_id'),
  requestId: text('request_id'),
  ip: text('ip'),
  previousHash: bytesColumn('previous_hash'),
  hash: bytesColumn('hash').notNull(),
  rowSum: sumColumn(),
})
