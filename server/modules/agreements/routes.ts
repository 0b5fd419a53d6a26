import { termSheetTexts } from '@keyturn/contract/agreements/agreement-texts.ts'
import { ownConsent, withdrawConsent as withdrawCall } from '@keyturn/contract/agreements/consent.ts'
import { evidenceLog, logConsistency, logInclusion } from '@keyturn/contract/agreements/evidence-log.ts'
import { paperwork } from '@keyturn/contract/agreements/paperwork/endpoints.ts'
import { sealCertificates } from '@keyturn/contract/agreements/seal.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import type { Deps } from '../../deps.ts'
import type { Asker } from '../../platform/http/authorization.ts'
import { answer, type Door } from '../../platform/http/register-endpoint.ts'
import { originOf } from '../deals/open-deal.ts'
import { readConsent, withdrawConsent } from './consents.ts'
import { proveConsistency, proveInclusion, readLog } from './evidence-log/log.ts'
import { signedPdfOf } from './kept-pdfs.ts'
import { readPackage } from './package.ts'
import { openPaperPrinter } from './paperwork/paper-printer.ts'
import { printPaperwork } from './paperwork/print-paperwork.ts'
import { listCertificates } from './seal/certificates.ts'
import { soldCarsCsv } from './sold-csv.ts'
import { standingOf } from './verification/standing.ts'

export function registerAgreements(door: Door, deps: Deps): void {
  answer(door, ownConsent, async ({ actor }) => ({ consent: await readConsent(deps.db, actor.id) }))
  answer(door, withdrawCall, async ({ actor, request }) => ({
    consent: await withdrawConsent(deps, originOf(actor, request)),
  }))
  answer(door, calls.soldCarsFile, ({ reply }) => {
    reply.header('content-disposition', `attachment; filename="${dealTexts.sold.fileName}"`)
    return soldCarsCsv(deps.db)
  })
  answer(door, calls.finalPackage, ({ asker, params }) => readPackage(deps, asker, params.pkgId))
  answer(door, evidenceLog, () => readLog(deps))
  answer(door, logInclusion, ({ params }) => proveInclusion(deps, params.digest))
  answer(door, logConsistency, ({ params }) => proveConsistency(deps, params.size))
  answer(door, sealCertificates, () => listCertificates(deps))
  answer(door, verifyAgreement, ({ params }) => standingOf(deps, params.agreement))
  answer(door, calls.agreementPdf, async ({ asker, params, query, reply }) => {
    const { _id, agreement } = await readPackage(deps, asker, params.pkgId)
    const { bytes } = await signedPdfOf(deps, _id, {
      size: query.size,
      reader: readerOf(asker),
      isWaitedFor: true,
    })
    const name = termSheetTexts.fileName(agreement.terms.vin)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  const papers = openPaperPrinter({ onFault: (fault) => deps.log.error({ err: fault }, 'paperwork') })
  door.app.addHook('onClose', () => papers.close())
  answer(door, paperwork, async ({ asker, params, reply }) => {
    const { name, bytes } = await printPaperwork(deps, papers, asker, params)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
}

const readerOf = ({ user, administrator }: Asker) => user?.id ?? administrator?.username ?? ''
