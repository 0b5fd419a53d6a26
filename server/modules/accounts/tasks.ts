import type { Deps } from '../../deps.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { type CleanOtherModules, cleanJob, cleanTask } from './clean-task.ts'
import { expireTokensJob, expireTokensTask } from './expire-tokens-task.ts'
import { loginLinkJob, loginLinkTask } from './sessions/login-link.ts'

export const accountTasks = (
  deps: Pick<Deps, 'db' | 'log' | 'config'>,
  { cleanAlso }: { cleanAlso: CleanOtherModules },
): Tasks => ({
  [loginLinkJob]: loginLinkTask(deps),
  [cleanJob]: cleanTask(deps, cleanAlso),
  [expireTokensJob]: expireTokensTask(deps),
})
