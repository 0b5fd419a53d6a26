import type { Deps } from '../../deps.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { storeAgreementPdf } from './agreement-pdf-store.ts'
import { storeAgreementJob } from './create-deal-package.ts'

export const agreementJobs = (deps: Deps): Tasks => ({ [storeAgreementJob]: storeAgreementPdf(deps) })
