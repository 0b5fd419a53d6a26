import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { webhookHeaders, webhookToleranceSeconds } from '@keyturn/contract/kit/webhooks.ts'
import type { FastifyRequest } from 'fastify'
import { Webhook } from 'standardwebhooks'
import type { Deps } from '../../deps.ts'
import { findKeyHolders } from '../dealers/dealer-store.ts'
import { targetOf } from '../dealers/dealer-target.ts'

/** A call that a dealer's system has signed. */
export type SignedCall = {
  dealer: { id: string; name: string }
  webhookId: string
  bodyDigest: Buffer
  requestId: string
  ip: string
  /** Says which deal it is about, for the log. */
  concerns: (dealId: string) => void
}

type Signed = { id: string; timestamp: string; signatures: string[]; content: Buffer }

/**
 * Who has signed a call, as standardwebhooks.com specifies it (R-deals-75): over the bytes of the body, or over the path
 * where there is none. Refuses `InvalidSignature`; a signature of a dealer that has not got this deal is believed, and
 * answered as if there were no such deal.
 */
export async function whoSigned(deps: Deps, request: FastifyRequest, packageId: string): Promise<SignedCall> {
  const signed = signedPartOf(request)
  const holders = await findKeyHolders(deps.db, { packageId })
  const holder = holders.find(({ dealer }) =>
    targetOf(deps.config, dealer).keys.some((key) => isSignedWith(key, signed)),
  )
  const age = (holder?.seconds ?? 0) - Number(signed.timestamp)
  if (!holder || Math.abs(age) > webhookToleranceSeconds) throw refuse.InvalidSignature()
  if (!holder.isTheirs) throw refuse.NotFound()
  return {
    dealer: { id: holder.dealer.id, name: targetOf(deps.config, holder.dealer).name },
    webhookId: signed.id,
    bodyDigest: createHash('sha256').update(signed.content).digest(),
    requestId: request.id,
    ip: request.ip,
    concerns: (dealId) => {
      request.dealId = dealId
    },
  }
}

function signedPartOf(request: FastifyRequest): Signed {
  const { headers, sentBody, url } = request
  const [id, timestamp, signatures] = [
    webhookHeaders.id,
    webhookHeaders.timestamp,
    webhookHeaders.signature,
  ].map((name) => String(headers[name] ?? '')) as [string, string, string]
  // No point in the id: where it ends and the timestamp begins is beyond dispute.
  if (!/^[\w-]{1,255}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) throw refuse.InvalidSignature()
  const content = sentBody && sentBody.length > 0 ? sentBody : Buffer.from(url.split('?')[0] ?? '')
  return { id, timestamp, signatures: signatures.split(' ').slice(0, mostSignatures), content }
}

/** Of the sender's old and new key, and some to spare. */
const mostSignatures = 5

function isSignedWith(key: string, { id, timestamp, signatures, content }: Signed): boolean {
  const expected = Buffer.from(new Webhook(key).sign(id, new Date(Number(timestamp) * 1000), content))
  return signatures.some((given) => {
    const bytes = Buffer.from(given)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}
