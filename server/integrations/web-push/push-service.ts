import type { Config } from '../../config.ts'
import { reasonOf } from '../../shared/reason-of.ts'
import { type Attempt, postWebhook } from '../webhooks/webhook.ts'
import { isPushEndpoint } from './push-hosts.ts'

type Browser = { endpoint: string; p256dh: string; auth: string }
type Outgoing = { payload: string; topic: string; ttlSeconds: number }
/**
 * `taken`: the service has it, and the browser hears of it when it can. `gone`: there is no such browser. `refused`: this
 * push it will never take. `later`: it could not now.
 */
export type PushAttempt = Pick<Attempt, 'status' | 'because'> & {
  outcome: 'taken' | 'gone' | 'refused' | 'later'
  retryAfterMs?: number
}

const pushLimitMs = 10_000
/** Whatever a service says: it is asked again within a day. */
const longestRetryMs = 24 * 3600_000

/**
 * Encrypted for one browser (RFC 8291) and signed as ours (RFC 8292), posted to its maker's service (RFC 8030). The address
 * came with a request, so it is handled as one that somebody has entered.
 */
export async function sendPush(
  { key, subject, hosts, allowPrivate }: Config['push'],
  { endpoint, p256dh, auth }: Browser,
  { payload, topic, ttlSeconds }: Outgoing,
  limitMs = pushLimitMs,
): Promise<PushAttempt> {
  // Refused and not gone: a mistake in PUSH_HOSTS must not delete devices.
  if (!isPushEndpoint(endpoint, hosts))
    return { outcome: 'refused', status: null, because: 'unknown service' }
  const { encrypt, getVapidHeaders } = await library()
  let body: Buffer
  try {
    body = encrypt(p256dh, auth, payload, 'aes128gcm').cipherText
  } catch (error) {
    // A key that no browser has made.
    return { outcome: 'gone', status: null, because: reasonOf(error) }
  }
  const { origin } = new URL(endpoint)
  const vapid = getVapidHeaders(origin, subject, key.publicKey, key.privateKey, 'aes128gcm')
  const headers = {
    ...vapid,
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(ttlSeconds),
    topic,
    // Somebody waits for it: not put off until the phone is next charged.
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
  return { ...answer, outcome: 'later', retryAfterMs: waitOf(retryAfter) }
}

/** Seconds, or a moment. */
function waitOf(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.min(longestRetryMs, Math.max(0, ms))
}

/** Loaded where something is pushed. */
const library = async () => (await import('web-push')).default
