import {
  answerDeal,
  packageSchema,
  partnerAgreement,
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
import { signedPdfOf } from '../../agreements/agreement-pdf-store.ts'
import { readDealView } from '../../deals/deal-view-repository.ts'
import { progressOf } from '../../deals/mappers.ts'
import { completeDeal } from '../../deals/purchase/complete-deal.ts'
import { findPassedDeal } from '../../deals/repository.ts'
import { packageFor, packageSchemaOf } from '../webhook-delivery/package-payload.ts'
import { recordDealerStep } from './record-dealer-step.ts'
import { type SignedCall, signingOf } from './signed-calls.ts'
import { partnerDealOf } from './steps.ts'

export function registerDealerApi(http: HttpContext, deps: Deps): void {
  const schema = packageSchemaOf(deps.config)
  registerEndpoint(http, packageSchema, () => schema)
  const signing = signingOf(deps)
  registerSignedEndpoint(http, answerDeal, signing, async ({ params, body, signer }) => {
    refuseOtherDeal(params.pkgId, body.pkgId)
    return partnerDealOf(await recordDealerStep(deps, signer, params.pkgId, body))
  })
  registerSignedEndpoint(http, readPartnerDeal, signing, async ({ params: { pkgId } }) => {
    const [found] = await findPassedDeal(deps.db, { packageId: pkgId })
    if (!found) throw apiErrors.NotFound()
    return {
      deal: partnerDealOf(await readDealView(deps.db, found.dealId)),
      package: await packageFor(deps, pkgId, { isWaitedFor: true }),
    }
  })
  registerSignedEndpoint(http, partnerAgreement, signing, async ({ params: { pkgId } }) => {
    return (await signedPdfOf(deps, pkgId, { reader: pkgId, isWaitedFor: true })).bytes
  })
  registerSignedEndpoint(http, completeCall, signing, async (asking) => {
    const { caller, signer, params, body, request, intent } = asking
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
  refuseOtherDeal(pkgId, named)
  return progressOf(await recordDealerStep(deps, by, pkgId, { step: 'complete' }), deps.config.dealer, null)
}

/** Rejects a body that names a different deal than its path. */
function refuseOtherDeal(pkgId: string, named: string | undefined): void {
  if (named === pkgId) return
  throw apiErrors.ValidationError({
    message: fieldTexts.id,
    fields: [{ path: 'pkgId', message: fieldTexts.id }],
  })
}
