import {
  answerDeal,
  packageSchema,
  partnerAgreement,
  readPartnerDeal,
} from '@keyturn/contract/deals/dealers/partner.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { fieldTexts } from '@keyturn/contract/kit/fields.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { answer, type Door } from '../../http/answer.ts'
import { signedPdfOf } from '../agreement/kept-pdfs.ts'
import { packageFor, packageSchemaOf } from '../delivery/package-of.ts'
import { viewOf } from '../open-deal.ts'
import { progressOf } from '../wire.ts'
import { takeStep } from './answering.ts'
import * as store from './partner-store.ts'
import { whoSigned } from './signed-calls.ts'
import { partnerDealOf } from './steps.ts'

/** What dealers' systems call, each call signed by the dealer that it comes from. */
export function registerPartners(door: Door, deps: Deps): void {
  const schema = packageSchemaOf(deps.config)
  answer(door, packageSchema, () => schema)
  answer(door, answerDeal, async ({ params, body, request }) => {
    const by = await whoSigned(deps, request, params.pkgId)
    refuseOtherDeal(params.pkgId, body.pkgId)
    return partnerDealOf(await takeStep(deps, by, params.pkgId, body))
  })
  answer(door, readPartnerDeal, async ({ params: { pkgId }, request }) => {
    await whoSigned(deps, request, pkgId)
    const [found] = await store.findPassedDeal(deps.db, { packageId: pkgId })
    if (!found) throw refuse.NotFound()
    return {
      deal: partnerDealOf(await viewOf(deps.db, found.dealId)),
      package: await packageFor(deps, pkgId, { isWaitedFor: true }),
    }
  })
  answer(door, partnerAgreement, async ({ params: { pkgId }, request }) => {
    await whoSigned(deps, request, pkgId)
    return (await signedPdfOf(deps, pkgId, { reader: pkgId, isWaitedFor: true })).bytes
  })
}

export async function completeAsDealer(
  deps: Deps,
  request: FastifyRequest,
  pkgId: string,
  named: string | undefined,
): Promise<Progress> {
  const by = await whoSigned(deps, request, pkgId)
  refuseOtherDeal(pkgId, named)
  return progressOf(await takeStep(deps, by, pkgId, { step: 'complete' }), deps.config.dealer, null)
}

/** What is signed is the body, so the body says which deal it is about, and not the address alone. */
function refuseOtherDeal(pkgId: string, named: string | undefined): void {
  if (named === pkgId) return
  throw refuse.ValidationError({
    message: fieldTexts.id,
    fields: [{ path: 'pkgId', message: fieldTexts.id }],
  })
}
