import type { Deps } from './deps.ts'
import { agreementTasks } from './modules/agreements/tasks.ts'
import { dealerTasks } from './modules/dealers/tasks.ts'
import { dealTasks } from './modules/deals/tasks.ts'
import type { Tasks } from './platform/jobs/jobs.ts'

/** Background jobs of a sale, from its hold to its delivery. */
export const saleTasks = (deps: Deps): Tasks => ({
  ...dealTasks(deps),
  ...agreementTasks(deps),
  ...dealerTasks(deps),
})
