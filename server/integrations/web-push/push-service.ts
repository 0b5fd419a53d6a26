import type { Config } from '../../config.ts'
import { describeError } from '../../shared/describe-error.ts'
import { type Attempt, postWebhook } from '../webhooks/post-webhook.ts'
import { isPushEndpoint } from './push-hosts.ts'

type Subscriber = { endpoint: string; p256dh: string; auth: string }
type PushRequest = { payload: string; topic: string; ttlSeconds: number }
/**
 * `taken`: the service has accepted it for delivery. `gone`: the subscription no longer exists.
 * `refused`: a permanent error for this push. `later`: a temporary error.
 */
export type PushAttempt = Pick<Attempt, 'status' | 'because'> & {
  outcome: 'taken' | 'gone' | 'refused' | 'later'
  retryAfterMs?: number
}

const pushTimeoutMs = 10_000
/** Caps the service's Retry-After: a retry follows within a day. */
const maxRetryMs = 24 * 3600_000

/**
 * Sends a push: encrypted for one browser (RFC 8291), signed with the VAPID key (RFC 8292) and
 * posted to the browser's service (RFC 8030). The address came with a request, so it is treated as
 * user input.
 */
export async function sendPush(
  { key, subject, hosts, allowPrivate }: Config['push'],
  { endpoint, p256dh, auth }: Subscriber,
  { payload, topic, ttlSeconds }: PushRequest,
  limitMs = pushTimeoutMs,
): Promise<PushAttempt> {
  // `refused`, not `gone`: a mistake in PUSH_HOSTS must not delete devices.
  if (!isPushEndpoint(endpoint, hosts))
    return { outcome: 'refused', status: null, because: 'unknown service' }
  const { encrypt, getVapidHeaders } = await loadLibrary()
  let body: Buffer
  try {
    body = encrypt(p256dh, auth, payload, 'aes128gcm').cipherText
  } catch (error) {
    // No browser has generated such a key.
    return { outcome: 'gone', status: null, because: describeError(error) }
  }
  const { origin } = new URL(endpoint)
  const vapid = getVapidHeaders(origin, subject, key.publicKey, key.privateKey, 'aes128gcm')
  const headers = {
    ...vapid,
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(ttlSeconds),
    topic,
    // A person waits for the push, so a phone must not delay it until it is charged.
    urgency: 'high',
  }
  return readAttempt(await postWebhook(endpoint, { headers, body }, { allowPrivate, limitMs }))
}

function readAttempt({ status, because, retryAfter }: Attempt): PushAttempt {
  const answer = { status, because }
  if (because === null) return { ...answer, outcome: 'taken' }
  if (because === 'private address' || because === 'not https') return { ...answer, outcome: 'gone' }
  if (status === 404 || status === 410) return { ...answer, outcome: 'gone' }
  if (status !== null && status < 500 && status !== 429 && status !== 408 && because !== 'too slow')
    return { ...answer, outcome: 'refused' }
  return { ...answer, outcome: 'later', retryAfterMs: parseRetryAfter(retryAfter) }
}

/** Parses Retry-After, in seconds or as a date, into ms. */
function parseRetryAfter(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.min(maxRetryMs, Math.max(0, ms))
}

const loadLibrary = async () => (await import('web-push')).default
