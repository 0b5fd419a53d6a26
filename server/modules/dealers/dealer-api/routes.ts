import {
  answerDeal,
  readPackageSchema1,
  readPackageSchema2,
  readPartnerAgreement,
  readPartnerDeal,
} from '@keyturn/contract/dealers/dealer-api.ts'
import { completeDeal as completeCall } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import type { Deps } from '../../../deps.ts'
import {
  type HttpContext,
  registerEndpoint,
  registerSignedEndpoint,
} from '../../../platform/http/register-endpoint.ts'
import { readAgreementPdf } from '../../agreements/agreement-pdf-store.ts'
import { readDealView } from '../../deals/deal-view-repository.ts'
import { toProgress } from '../../deals/mappers.ts'
import { completeDeal } from '../../deals/purchase/complete-deal.ts'
import { findPassedDeal } from '../../deals/repository.ts'
import { buildPackage, packageSchemas } from '../webhook-delivery/package-payload.ts'
import { toPartnerDeal } from './dealer-report.ts'
import { recordDealerStep } from './record-dealer-step.ts'
import { dealerSigning, type SignedCall } from './signed-calls.ts'

export function registerDealerApi(http: HttpContext, deps: Deps): void {
  const [schema1, schema2] = packageSchemas(deps.config)
  registerEndpoint(http, readPackageSchema1, () => schema1)
  registerEndpoint(http, readPackageSchema2, () => schema2)
  const signing = dealerSigning(deps)
  registerSignedEndpoint(http, answerDeal, signing, async ({ params, body, signer }) => {
    requireSamePackage(params.pkgId, body.pkgId)
    return toPartnerDeal(await recordDealerStep(deps, signer, params.pkgId, body))
  })
  registerSignedEndpoint(http, readPartnerDeal, signing, async ({ params: { pkgId } }) => {
    const [found] = await findPassedDeal(deps.db, { packageId: pkgId })
    if (!found) throw apiErrors.NotFound()
    return {
      deal: toPartnerDeal(await readDealView(deps.db, found.dealId)),
      package: await buildPackage(deps, pkgId, { isCallerWaiting: true }),
    }
  })
  registerSignedEndpoint(http, readPartnerAgreement, signing, async ({ params: { pkgId } }) => {
    return (await readAgreementPdf(deps, pkgId, { reader: pkgId, isCallerWaiting: true })).bytes
  })
  registerSignedEndpoint(http, completeCall, signing, async (input) => {
    const { caller, signer, params, body, request, intent } = input
    if (signer) return completeAsDealer(deps, signer, params.pkgId, body?.pkgId)
    if (!caller.administrator) throw apiErrors.InvalidAdminAccessToken()
    const completed = await completeDeal({ ...deps, intent }, caller.administrator, params.pkgId, request.id)
    request.dealId = completed._id
    return completed
  })
}

async function completeAsDealer(
  deps: Deps,
  by: SignedCall,
  pkgId: string,
  named: string | undefined,
): Promise<Progress> {
  requireSamePackage(pkgId, named)
  return toProgress(await recordDealerStep(deps, by, pkgId, { step: 'complete' }), deps.config, null)
}

/** Rejects a body that names a different package than its path. */
function requireSamePackage(pkgId: string, named: string | undefined): void {
  if (named === pkgId) return
  throw apiErrors.ValidationError({
    message: fieldTexts.id,
    fields: [{ path: 'pkgId', message: fieldTexts.id }],
  })
}
