import { tradeTasks } from '../../../server/modules/trades/expire-offers.ts'
import type { Tasks } from '../../../server/platform/jobs/jobs.ts'
import { saleTasks } from '../../../server/tasks.ts'
import type { TestServer } from '../test-server.ts'

/** Returns the jobs that time triggers: ends of holds and offers, and reminders. */
export function clockTasks({ deps }: TestServer): Tasks {
  const all = saleTasks(deps)
  const tasks = tradeTasks(deps)
  for (const name of ['settle-holds', 'remind-of-hold', 'remind-of-deal']) {
    if (!all[name]) throw new Error(`There is no job ${name}`)
    tasks[name] = all[name]
  }
  return tasks
}
