import { saleJobs } from '../../../server/jobs.ts'
import { tradeJobs } from '../../../server/modules/trades/actions.ts'
import type { Tasks } from '../../../server/platform/jobs/jobs.ts'
import type { TestServer } from '../test-server.ts'

/** The jobs triggered by time alone: ends of holds and offers, and reminders. */
export function clockJobs({ deps }: TestServer): Tasks {
  const all = saleJobs(deps)
  const tasks = tradeJobs(deps)
  for (const name of ['settle-holds', 'remind-of-hold', 'remind-of-deal']) {
    if (!all[name]) throw new Error('a job has another name')
    tasks[name] = all[name]
  }
  return tasks
}
