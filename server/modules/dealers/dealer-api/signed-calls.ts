import { createHash } from 'node:crypto'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { webhookSigningInput } from '@keyturn/contract/shared/webhooks.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { isRecentSignature, isSignedWithKey, parseSignature } from '../../../platform/http/signed-requests.ts'
import { toDealerConnection } from '../dealer-connection.ts'
import { findPossibleSigners } from '../dealer-repository.ts'

export type SignedCall = {
  dealer: { id: string; name: string }
  webhookId: string
  bodyDigest: Buffer
  requestId: string
  ip: string
  /** Adds the deal's id to the request log. */
  concerns: (dealId: string) => void
}

export const dealerSigning = (deps: Deps) => ({
  verify: (request: FastifyRequest, params: { pkgId: string }) => identifySigner(deps, request, params),
})

/**
 * Identifies the dealer that signed a request, per standardwebhooks.com, over method, path and body
 * bytes (R-deals-75). Throws `InvalidSignature`. A valid signature of a dealer without this deal
 * gets the same 404 as a missing deal.
 */
async function identifySigner(
  deps: Deps,
  request: FastifyRequest,
  { pkgId }: { pkgId: string },
): Promise<SignedCall> {
  const signature = parseSignature(request.headers)
  const content = contentOf(request)
  const holders = await findPossibleSigners(deps.db, { packageId: pkgId })
  if (!isRecentSignature(signature, holders[0]?.seconds ?? 0)) throw apiErrors.InvalidSignature()
  const holder = holders.find(({ dealer }) =>
    toDealerConnection(deps.config, dealer).keys.some((key) => isSignedWithKey(key, signature, content)),
  )
  if (!holder) throw apiErrors.InvalidSignature()
  if (!holder.isTheirs) throw apiErrors.NotFound()
  return {
    dealer: { id: holder.dealer.id, name: toDealerConnection(deps.config, holder.dealer).name },
    webhookId: signature.id,
    bodyDigest: createHash('sha256').update(content).digest(),
    requestId: request.id,
    ip: request.ip,
    concerns: (dealId) => {
      request.dealId = dealId
    },
  }
}

function contentOf({ method, url, sentBody = Buffer.alloc(0) }: FastifyRequest): Buffer {
  const [path = ''] = url.split('?')
  return Buffer.concat([Buffer.from(webhookSigningInput(method, path)), sentBody])
}
