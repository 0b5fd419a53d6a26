import {
  answerDeal,
  packageSchema,
  partnerAgreement,
  readPartnerDeal,
} from '@keyturn/contract/dealers/dealer-api.ts'
import { completeDeal as completeCall } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { refuse } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import type { Deps } from '../../../deps.ts'
import { answer, answerSigned, type Door } from '../../../platform/http/register-endpoint.ts'
import { signedPdfOf } from '../../agreements/kept-pdfs.ts'
import { completeDeal } from '../../deals/actions.ts'
import { viewOf } from '../../deals/open-deal.ts'
import { progressOf } from '../../deals/wire.ts'
import { packageFor, packageSchemaOf } from '../webhook-delivery/package-of.ts'
import { takeStep } from './answering.ts'
import * as store from './partner-store.ts'
import { type SignedCall, signingOf } from './signed-calls.ts'
import { partnerDealOf } from './steps.ts'

export function registerDealerApi(door: Door, deps: Deps): void {
  const schema = packageSchemaOf(deps.config)
  answer(door, packageSchema, () => schema)
  const signing = signingOf(deps)
  answerSigned(door, answerDeal, signing, async ({ params, body, signer }) => {
    refuseOtherDeal(params.pkgId, body.pkgId)
    return partnerDealOf(await takeStep(deps, signer, params.pkgId, body))
  })
  answerSigned(door, readPartnerDeal, signing, async ({ params: { pkgId } }) => {
    const [found] = await store.findPassedDeal(deps.db, { packageId: pkgId })
    if (!found) throw refuse.NotFound()
    return {
      deal: partnerDealOf(await viewOf(deps.db, found.dealId)),
      package: await packageFor(deps, pkgId, { isWaitedFor: true }),
    }
  })
  answerSigned(door, partnerAgreement, signing, async ({ params: { pkgId } }) => {
    return (await signedPdfOf(deps, pkgId, { reader: pkgId, isWaitedFor: true })).bytes
  })
  answerSigned(door, completeCall, signing, async (asking) => {
    const { asker, signer, params, body, request, intent } = asking
    if (signer) return completeAsDealer(deps, signer, params.pkgId, body?.pkgId)
    if (!asker.administrator) throw refuse.InvalidAdminAccessToken()
    const completed = await completeDeal({ ...deps, intent }, asker.administrator, params.pkgId, request.id)
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
  return progressOf(await takeStep(deps, by, pkgId, { step: 'complete' }), deps.config.dealer, null)
}

/** A body that names another deal than its path was sent by mistake. */
function refuseOtherDeal(pkgId: string, named: string | undefined): void {
  if (named === pkgId) return
  throw refuse.ValidationError({
    message: fieldTexts.id,
    fields: [{ path: 'pkgId', message: fieldTexts.id }],
  })
}
