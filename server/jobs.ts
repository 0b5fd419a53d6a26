import type { Deps } from './deps.ts'
import { agreementJobs } from './modules/agreements/jobs.ts'
import { dealerJobs } from './modules/dealers/jobs.ts'
import { dealJobs } from './modules/deals/jobs.ts'
import type { Tasks } from './platform/jobs/jobs.ts'

/** Background jobs of a sale, from its hold to its delivery. */
export const saleJobs = (deps: Deps): Tasks => ({
  ...dealJobs(deps),
  ...agreementJobs(deps),
  ...dealerJobs(deps),
})
