import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { webhookHeaders, webhookToleranceSeconds } from '@keyturn/contract/shared/webhooks.ts'

/** The signature headers of a request, as standardwebhooks.com specifies them. `timestamp` is in seconds. */
export type Signature = { id: string; timestamp: string; signatures: Buffer[] }

/** Reads the signature headers without verifying them. Refuses `InvalidSignature` when one is missing or malformed. */
export function readSignature(headers: IncomingHttpHeaders): Signature {
  const [id, timestamp, given] = [webhookHeaders.id, webhookHeaders.timestamp, webhookHeaders.signature].map(
    (name) => String(headers[name] ?? ''),
  ) as [string, string, string]
  const signatures = given
    .split(' ', maxSignatures)
    .flatMap((one) => (signatureForm.test(one) ? [Buffer.from(one.slice('v1,'.length), 'base64')] : []))
  // Without a point in the id, it is clear where the id ends and the timestamp begins.
  if (!/^[\w-]{1,255}$/.test(id) || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0)
    throw apiErrors.InvalidSignature()
  return { id, timestamp, signatures }
}

/** The sender's old and new key, and some to spare. */
const maxSignatures = 5
const signatureForm = /^v1,[A-Za-z0-9+/]{43}=$/

/** Whether a signature is at most five minutes old, or ahead, by a clock in seconds. */
export const isRecent = ({ timestamp }: Signature, nowSeconds: number): boolean =>
  Math.abs(nowSeconds - Number(timestamp)) <= webhookToleranceSeconds

/** Whether this key has signed these bytes. `key` is `whsec_` and base64. */
export function isSignedWith(
  key: string,
  { id, timestamp, signatures }: Signature,
  content: Buffer,
): boolean {
  const expected = createHmac('sha256', Buffer.from(key.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(content)
    .digest()
  return signatures.some((given) => timingSafeEqual(given, expected))
}
