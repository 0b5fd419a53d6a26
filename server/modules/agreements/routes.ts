import {
  agreementPdf,
  finalPackage,
  ownConsent,
  sealCertificates,
  withdrawConsent as withdrawCall,
} from '@keyturn/contract/agreements/endpoints.ts'
import { evidenceLog, logConsistency, logInclusion } from '@keyturn/contract/agreements/evidence-log.ts'
import { paperwork } from '@keyturn/contract/agreements/paperwork/endpoints.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { originOf } from '../../platform/http/origin.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { readAgreementPdf } from './agreement-pdf-store.ts'
import { readConsent, withdrawConsent } from './consents.ts'
import { readPackage } from './create-deal-package.ts'
import { proveConsistency, proveInclusion, readLog } from './evidence-log/log.ts'
import { openPaperPrinter } from './paperwork/paper-printer.ts'
import { printPaperwork } from './paperwork/print-paperwork.ts'
import { listCertificates } from './seal/certificates.ts'
import { readAgreementStatus } from './verification/agreement-status.ts'

export function registerAgreements(http: HttpContext, deps: Deps): void {
  registerEndpoint(http, ownConsent, async ({ actor }) => ({ consent: await readConsent(deps.db, actor.id) }))
  registerEndpoint(http, withdrawCall, async ({ actor, request }) => ({
    consent: await withdrawConsent(deps, originOf(actor, request)),
  }))
  registerEndpoint(http, finalPackage, ({ caller, params }) => readPackage(deps, caller, params.pkgId))
  registerEndpoint(http, evidenceLog, () => readLog(deps))
  registerEndpoint(http, logInclusion, ({ params }) => proveInclusion(deps, params.digest))
  registerEndpoint(http, logConsistency, ({ params }) => proveConsistency(deps, params.size))
  registerEndpoint(http, sealCertificates, () => listCertificates(deps))
  registerEndpoint(http, verifyAgreement, ({ params }) => readAgreementStatus(deps, params.agreement))
  registerEndpoint(http, agreementPdf, async ({ caller, params, query, reply }) => {
    const { _id, agreement } = await readPackage(deps, caller, params.pkgId)
    const { bytes } = await readAgreementPdf(deps, _id, {
      size: query.size,
      reader: readerOf(caller),
      isCallerWaiting: true,
    })
    const name = termSheetTexts.fileName(agreement.terms.vin)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  const papers = openPaperPrinter({ onFault: (fault) => deps.log.error({ err: fault }, 'paperwork') })
  http.app.addHook('onClose', () => papers.close())
  registerEndpoint(http, paperwork, async ({ caller, params, reply }) => {
    const { name, bytes } = await printPaperwork(deps, papers, caller, params)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
}

const readerOf = ({ user, administrator }: Caller) => user?.id ?? administrator?.username ?? ''
