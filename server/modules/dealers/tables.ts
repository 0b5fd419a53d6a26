import type { DealerEventType } from '@keyturn/contract/dealers/dealer-api.ts'
import type { DeliveryWay } from '@keyturn/contract/dealers/endpoints.ts'
import type { DeliveryState } from '@keyturn/contract/deals/rules.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, idColumn, moment, now, sumColumn, versionColumn } from '../../platform/database/columns.ts'

export const dealers = pgTable('dealers', {
  id: idColumn('id').primaryKey(),
  /** This and the next columns: null means the value comes from the settings. */
  name: text('name'),
  webhookUrl: text('webhook_url'),
  secrets: bytes('secrets'),
  email: text('email'),
  phone: text('phone'),
  hours: text('hours'),
  active: boolean('active').notNull().default(true),
  isDefault: boolean('is_default').notNull().default(false),
  version: versionColumn(),
  createdAt: moment('created_at').notNull().default(now),
})

export const dealerAreas = pgTable('dealer_areas', {
  dealerId: idColumn('dealer_id').notNull(),
  firstZip: integer('first_zip').notNull(),
  lastZip: integer('last_zip').notNull(),
})

export const deliveries = pgTable('deliveries', {
  id: idColumn('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
  dealId: idColumn('deal_id'),
  dealerId: idColumn('dealer_id').notNull(),
  kind: text('kind').$type<DealerEventType>().notNull(),
  way: text('way').$type<DeliveryWay>().notNull(),
  state: text('state').$type<DeliveryState>().notNull().default('WAITING'),
  payloadDigest: bytes('payload_digest'),
  tries: integer('tries').notNull().default(0),
  nextTryAt: moment('next_try_at').notNull().default(now),
  giveUpAt: moment('give_up_at').notNull().default(sql`keyturn_now() + interval '3 days'`),
  createdAt: moment('created_at').notNull().default(now),
  endedAt: moment('ended_at'),
})

export const deliveryTries = pgTable('delivery_tries', {
  deliveryId: idColumn('delivery_id').notNull(),
  at: moment('at').notNull().default(now),
  number: integer('number').notNull(),
  ms: integer('ms').notNull(),
  status: integer('status'),
  because: text('because'),
  rowSum: sumColumn(),
})

export const partnerCalls = pgTable('partner_calls', {
  dealerId: idColumn('dealer_id').notNull(),
  webhookId: text('webhook_id').notNull(),
  packageId: idColumn('package_id').notNull(),
  bodyDigest: bytes('body_digest').notNull(),
  at: moment('at').notNull().default(now),
  rowSum: sumColumn(),
})
