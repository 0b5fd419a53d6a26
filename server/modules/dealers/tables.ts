import type { DealerEventType } from '@keyturn/contract/dealers/dealer-api.ts'
import type { DeliveryMethod } from '@keyturn/contract/dealers/endpoints.ts'
import type { DeliveryState } from '@keyturn/contract/deals/rules.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import {
  bytesColumn,
  idColumn,
  momentColumn,
  now,
  sumColumn,
  versionColumn,
} from '../../platform/database/columns.ts'

export const dealers = pgTable('dealers', {
  id: idColumn('id').primaryKey(),
  /** Null for the default dealer, like the columns up to `hours`: the settings have its values. */
  name: text('name'),
  webhookUrl: text('webhook_url'),
  secrets: bytesColumn('secrets'),
  email: text('email'),
  phone: text('phone'),
  hours: text('hours'),
  active: boolean('active').notNull().default(true),
  isDefault: boolean('is_default').notNull().default(false),
  version: versionColumn(),
  createdAt: momentColumn('created_at').notNull().default(now),
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
  way: text('way').$type<DeliveryMethod>().notNull(),
  state: text('state').$type<DeliveryState>().notNull().default('WAITING'),
  payloadDigest: bytesColumn('payload_digest'),
  tries: integer('tries').notNull().default(0),
  nextTryAt: momentColumn('next_try_at').notNull().default(now),
  giveUpAt: momentColumn('give_up_at').notNull().default(sql`keyturn_now() + interval '3 days'`),
  createdAt: momentColumn('created_at').notNull().default(now),
  endedAt: momentColumn('ended_at'),
})

export const deliveryTries = pgTable('delivery_tries', {
  deliveryId: idColumn('delivery_id').notNull(),
  at: momentColumn('at').notNull().default(now),
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
  bodyDigest: bytesColumn('body_digest').notNull(),
  at: momentColumn('at').notNull().default(now),
  rowSum: sumColumn(),
})
