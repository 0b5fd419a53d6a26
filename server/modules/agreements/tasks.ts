import type { Deps } from '../../deps.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { storeAgreementTask } from './agreement-pdf-store.ts'
import { storeAgreementJob } from './create-deal-package.ts'
import { submitHeadJob, submitHeadTask } from './evidence-log/submit-heads.ts'

export const agreementTasks = (deps: Deps): Tasks => ({
  [storeAgreementJob]: storeAgreementTask(deps),
  [submitHeadJob]: submitHeadTask(deps),
})
