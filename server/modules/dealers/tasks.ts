import type { Deps } from '../../deps.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { deliverJob, deliverTask } from './webhook-delivery/deliver-deal.ts'

export const dealerTasks = (deps: Deps): Tasks => ({ [deliverJob]: deliverTask(deps) })
