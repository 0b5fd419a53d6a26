import type { Deps } from './deps.ts'
import { accountRetention } from './modules/accounts/retention.ts'
import { agreementTasks } from './modules/agreements/tasks.ts'
import { carRetention } from './modules/cars/retention.ts'
import { dealerTasks } from './modules/dealers/tasks.ts'
import { deliveryRetention } from './modules/dealers/webhook-delivery/retention.ts'
import { dealTasks } from './modules/deals/tasks.ts'
import { reportRetention } from './modules/messages/retention.ts'
import { createNotificationRetention } from './modules/notifications/retention.ts'
import { tradeRetention } from './modules/trades/retention.ts'
import type { Tasks } from './platform/jobs/jobs.ts'
import { emailRetention } from './platform/mail/retention.ts'
import type { RetentionRule } from './platform/retention/retention-rule.ts'
import { responseRetention } from './platform/retention/stored-responses.ts'

/** Background jobs of a sale, from its hold to its delivery. */
export const saleTasks = (deps: Deps): Tasks => ({
  ...dealTasks(deps),
  ...agreementTasks(deps),
  ...dealerTasks(deps),
})

/** Everything that a job removes once it is old. */
export const createRetentionRules = (): readonly RetentionRule[] => [
  ...emailRetention,
  ...createNotificationRetention(),
  ...deliveryRetention,
  ...responseRetention,
  ...accountRetention,
  ...reportRetention,
  ...tradeRetention,
  ...carRetention,
]
