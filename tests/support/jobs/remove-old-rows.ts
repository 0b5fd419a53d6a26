import { retentionTasks } from '../../../server/platform/retention/remove-old-rows.ts'
import { createRetentionRules } from '../../../server/tasks.ts'
import type { TestServer } from '../test-server.ts'

/** Runs the job that removes old rows, once. Returns the delay of its next run, in ms. */
export async function removeOldRows({ deps }: Pick<TestServer, 'deps'>): Promise<number | null> {
  const [task] = Object.values(retentionTasks(deps, createRetentionRules()))
  const outcome = await task?.run({}, { attempts: 1, stopping: new AbortController().signal })
  return outcome && 'againInMs' in outcome ? outcome.againInMs : null
}
