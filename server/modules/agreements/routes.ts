import { gzipSync } from 'node:zlib'
import * as calls from '@keyturn/contract/agreements/endpoints.ts'
import {
  proveLogConsistency,
  proveLogInclusion,
  readEvidenceLog,
  readLogCheckpoint,
  readLogTile,
} from '@keyturn/contract/agreements/evidence-log.ts'
import { readPaperwork } from '@keyturn/contract/agreements/paperwork/endpoints.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { toChangeContext } from '../../platform/http/change-context.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { findPackageByLink } from './agreement-links.ts'
import { readAgreementPdf } from './agreement-pdf-store.ts'
import { readConsent, withdrawConsent } from './consents.ts'
import { decodePackage, readPackage } from './create-deal-package.ts'
import { proveConsistency, proveInclusion, readLog } from './evidence-log/evidence-log.ts'
import { readCheckpoint, readTile } from './evidence-log/publish-log.ts'
import { findAgreementsOf, findPackage } from './package-repository.ts'
import { createPaperPrinter } from './paperwork/paper-printer.ts'
import { printPaperwork } from './paperwork/print-paperwork.ts'
import { printDraft, recordShownSheet } from './pdf/sheet-to-sign.ts'
import { listCertificates } from './seal/seal-certificates.ts'
import { readAgreementStatus } from './verification/agreement-status.ts'

export function registerAgreements(http: HttpContext, deps: Deps): void {
  registerEndpoint(http, calls.readConsent, async ({ actor }) => ({
    consent: await readConsent(deps.db, actor.id),
    address: deps.config.contactAddress,
  }))
  registerEndpoint(http, calls.withdrawConsent, async ({ actor, request }) => ({
    consent: await withdrawConsent(deps, toChangeContext(actor, request)),
  }))
  registerEndpoint(http, calls.readPackage, ({ caller, params }) => readPackage(deps, caller, params.pkgId))
  registerEndpoint(http, readEvidenceLog, () => readLog(deps))
  registerEndpoint(http, proveLogInclusion, ({ params }) => proveInclusion(deps, params.digest))
  registerEndpoint(http, proveLogConsistency, ({ params }) => proveConsistency(deps, params.size))
  registerEndpoint(http, readLogCheckpoint, async ({ reply }) => {
    const checkpoint = await readCheckpoint(deps)
    reply.header('cache-control', 'public, max-age=5')
    return checkpoint
  })
  registerEndpoint(http, readLogTile, async ({ params, request, reply }) => {
    const { bytes, isCompressible } = await readTile(deps, params.level, params['*'])
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    if (!isCompressible) return bytes
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return bytes
    reply.header('content-encoding', 'gzip')
    return new Uint8Array(gzipSync(bytes))
  })
  registerEndpoint(http, calls.listSealCertificates, () => listCertificates(deps))
  registerEndpoint(http, verifyAgreement, ({ params }) => readAgreementStatus(deps, params.agreement))
  registerEndpoint(http, calls.readAgreementPdf, async ({ caller, params, query, reply }) => {
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
  registerEndpoint(http, calls.readAgreementByLink, async ({ params, request, reply }) => {
    const packageId = await findPackageByLink(deps.db, params.token)
    const [row] = packageId === undefined ? [] : await findPackage(deps.db, { id: packageId })
    if (!row) throw apiErrors.NotFound()
    const { bytes } = await readAgreementPdf(deps, row.id, { reader: request.ip, isCallerWaiting: true })
    const name = termSheetTexts.fileName(decodePackage(row.contents).car.vin)
    reply.headers({ 'content-disposition': `attachment; filename="${name}"`, 'x-robots-tag': 'noindex' })
    return bytes
  })
  registerEndpoint(http, calls.listAgreements, async ({ actor }) =>
    (await findAgreementsOf(deps.db, { userId: actor.id })).map(({ id, car, createdAt }) => ({
      pkgId: id,
      vin: car.vin,
      car: carName(car),
      signedAt: createdAt.toISOString(),
    })),
  )
  const papers = createPaperPrinter({ onFault: (fault) => deps.log.error({ err: fault }, 'paperwork') })
  http.app.addHook('onClose', () => papers.close())
  registerEndpoint(http, calls.reportShownSheet, async ({ actor, params, body, request }) => {
    await recordShownSheet(deps, toChangeContext(actor, request), params.dealId, body)
    return { ok: true } as const
  })
  registerEndpoint(http, calls.readDraftPdf, async ({ actor, params, request, reply }) => {
    const { name, bytes } = await printDraft(deps, papers, toChangeContext(actor, request), params.dealId)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  registerEndpoint(http, readPaperwork, async ({ caller, params, reply }) => {
    const { name, bytes } = await printPaperwork(deps, papers, caller, params)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
}

const readerOf = ({ user, administrator }: Caller) => user?.id ?? administrator?.username ?? ''
