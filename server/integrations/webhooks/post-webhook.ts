import { lookup } from 'node:dns/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { describeError } from '../../shared/describe-error.ts'
import { isPublicAddress } from './public-address.ts'

type Address = { address: string; family: number }
export type WebhookRequest = { headers: Record<string, string>; body: string | Buffer }
export type WebhookRules = {
  /** Allows private addresses, and plain http, which can be read in transit. */
  allowPrivate: boolean
  limitMs?: number
  /** For tests. */
  resolve?: (host: string) => Promise<Address[]>
}
/**
 * `because`: why the delivery failed, in a few words. `retryAfter`: the Retry-After header. `body`: of
 * a complete response.
 */
export type Attempt = {
  status: number | null
  because: string | null
  ms: number
  retryAfter?: string
  body?: string
}

/** In ms, for everything together: DNS, connecting, sending and reading the answer. */
const webhookTimeoutMs = 15_000
/** In bytes. A few words may come with the status, or the signatures of a witness. */
const maxResponseBytes = 16 * 1024

/**
 * Posts to a URL that a user has entered, which must not lead into a private network. The name is
 * looked up once, every address is checked, and only those are connected to (no DNS rebinding).
 * Redirects are not followed.
 */
export async function postWebhook(
  url: string,
  message: WebhookRequest,
  rules: WebhookRules,
): Promise<Attempt> {
  const began = performance.now()
  const giveUp = AbortSignal.timeout(rules.limitMs ?? webhookTimeoutMs)
  let status: number | null = null
  let retryAfter: string | undefined
  let body: string | undefined
  const done = (status: number | null, because: string | null): Attempt => ({
    status,
    because,
    ms: Math.round(performance.now() - began),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(body !== undefined && { body }),
  })
  try {
    const target = new URL(url)
    if (target.protocol !== 'https:' && !rules.allowPrivate) return done(null, 'not https')
    const addresses = await rejectOnAbort(addressesOf(target, rules.resolve ?? resolveAll), giveUp)
    if (addresses.length === 0) return done(null, 'no such host')
    if (!rules.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
      return done(null, 'private address')
    const answer = await post(target, message, addresses, giveUp)
    status = answer.statusCode ?? null
    retryAfter = answer.headers['retry-after']
    body = await readToEnd(answer)
    if (status === null || status < 200 || status > 299)
      return done(status, status !== null && status >= 300 && status < 400 ? 'redirects' : 'answered')
    return done(status, null)
  } catch (error) {
    return done(status, giveUp.aborted ? 'too slow' : reasonFor(error))
  }
}

const resolveAll = (host: string): Promise<Address[]> => lookup(host, { all: true, verbatim: true })

async function addressesOf(
  { hostname }: URL,
  resolve: (host: string) => Promise<Address[]>,
): Promise<Address[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  return family === 0 ? resolve(host) : [{ address: host, family }]
}

function post(target: URL, { headers, body }: WebhookRequest, addresses: Address[], signal: AbortSignal) {
  const { request } = target.protocol === 'https:' ? https : http
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A new connection: a pooled one would have been made by an earlier DNS lookup.
        agent: false,
        signal,
        lookup: (_host, options, found) => {
          const [first = { address: '', family: 4 }] = addresses
          if (options.all) found(null, addresses)
          else found(null, first.address, first.family)
        },
      },
      resolve,
    )
    sending.on('error', reject)
    sending.end(body)
  })
}

async function readToEnd(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    parts.push(part as Buffer)
    size += (part as Buffer).length
    if (size > maxResponseBytes) throw new Error('answers too much')
  }
  return Buffer.concat(parts).toString()
}

function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too slow')), { once: true })
    work.then(resolve, reject)
  })
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  ECONNREFUSED: 'nobody listens',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
}

function reasonFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? describeError(error).slice(0, 200)
}
