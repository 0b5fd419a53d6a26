import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { webhookHeaders, webhookToleranceSeconds } from '@keyturn/contract/shared/webhooks.ts'

/**
 * The signature headers of a request, as standardwebhooks.com specifies them. `timestamp` is in
 * seconds.
 */
export type Signature = { id: string; timestamp: string; signatures: Buffer[] }

/** Reads the headers without verifying them. Throws `InvalidSignature` if one is missing or malformed. */
export function parseSignature(headers: IncomingHttpHeaders): Signature {
  const [id, timestamp, given] = [webhookHeaders.id, webhookHeaders.timestamp, webhookHeaders.signature].map(
    (name) => String(headers[name] ?? ''),
  ) as [string, string, string]
  const signatures = given
    .split(' ', maxSignatures)
    .flatMap((one) => (signatureForm.test(one) ? [Buffer.from(one.slice('v1,'.length), 'base64')] : []))
  // The signed text is `id.timestamp.body`, so an id with a dot would be ambiguous.
  if (!/^[\w-]{1,255}$/.test(id) || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0)
    throw apiErrors.InvalidSignature()
  return { id, timestamp, signatures }
}

/** Key rotation needs two, the old and the new; the rest is margin. */
const maxSignatures = 5
const signatureForm = /^v1,[A-Za-z0-9+/]{43}=$/

/** Returns whether the timestamp is within five minutes of `nowSeconds`, in either direction. */
export const isRecentSignature = ({ timestamp }: Signature, nowSeconds: number): boolean =>
  Math.abs(nowSeconds - Number(timestamp)) <= webhookToleranceSeconds

/** Returns whether one of the signatures was made with `key`, which is `whsec_` plus base64. */
export function isSignedWithKey(
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
