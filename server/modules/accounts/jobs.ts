import type { Deps } from '../../deps.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { type CleanAlso, cleanJob, cleanTask } from './clean-task.ts'
import { expireJob, expireTask } from './expire-task.ts'
import { loginLinkJob, loginLinkTask } from './sessions/login-link.ts'

export const accountJobs = (
  deps: Pick<Deps, 'db' | 'log' | 'config'>,
  { cleanAlso }: { cleanAlso: CleanAlso },
): Tasks => ({
  [loginLinkJob]: loginLinkTask(deps),
  [cleanJob]: cleanTask(deps, cleanAlso),
  [expireJob]: expireTask(deps),
})
