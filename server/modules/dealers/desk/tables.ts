import type { DealerStepName } from '@keyturn/contract/deals/rules.ts'
import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { idColumn, momentColumn, now } from '../../../platform/database/columns.ts'

export const deskDeals = pgTable('desk_deals', {
  packageId: idColumn('package_id').primaryKey(),
  car: text('car').notNull(),
  vin: text('vin').notNull(),
  step: text('step').$type<DealerStepName>(),
  stepAt: momentColumn('step_at'),
  isDone: boolean('is_done').notNull().default(false),
  receivedAt: momentColumn('received_at').notNull().default(now),
})
