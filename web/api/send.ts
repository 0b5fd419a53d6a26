import { buildUrl } from '@keyturn/contract/shared/build-url.ts'
import {
  type Endpoint,
  type EndpointInput,
  type EndpointOutput,
  isAdminCaller,
} from '@keyturn/contract/shared/endpoint.ts'
import { askToConfirmPassword } from './confirm-password.ts'
import { areCurrentReadsRequired } from './current-reads.ts'
import { invalidBodyError, offlineError, readError, unreadableError } from './errors.ts'
import { consumePreloadedResponse, dropPreloadedResponses } from './preloaded-responses.ts'
import { currentGeneration, renewSession, type SessionName } from './renew-session.ts'

/** The decoded input of a request (cents, not dollars). Optional values may be omitted. */
export type RequestOf<C extends Endpoint> = Given<'params', EndpointInput<C>['params']> &
  Given<'body', EndpointInput<C>['body']> & { query?: Partial<EndpointInput<C>['query']> }
type Given<Name extends string, Value> = undefined extends Value
  ? { [key in Name]?: Value }
  : { [key in Name]: Value }

export type SendOptions = {
  signal?: AbortSignal | undefined
  idempotencyKey?: string | undefined
  /** Sends the request even if the page is being closed. */
  keepalive?: boolean
}

/** Encodes and decodes by the endpoint's schemas; every failure becomes an `ApiError`. */
export async function send<C extends Endpoint>(
  call: C,
  request: RequestOf<C>,
  sending: SendOptions = {},
): Promise<EndpointOutput<C>> {
  return (await sendWithLink(call, request, sending)).answer
}

/** Fetches one page of a list. `next` is the cursor for the following rows, null after the last. */
export async function fetchPage<C extends Endpoint>(
  call: C,
  request: RequestOf<C>,
  sending: SendOptions = {},
) {
  const { answer, link } = await sendWithLink(call, request, sending)
  return { rows: answer, next: nextCursor(link) }
}

/** Fetches a document, for endpoints with `media`. */
export async function fetchDocument<C extends Endpoint>(
  call: C,
  request: RequestOf<C>,
  sending: SendOptions = {},
): Promise<Blob> {
  return (await sendRaw(call, request, sending)).blob()
}

async function sendRaw<C extends Endpoint>(
  call: C,
  request: RequestOf<C>,
  sending: SendOptions,
): Promise<Response> {
  const address = buildUrl(call.path, request.params, request.query)
  const init = requestOf(call, request.body, sending)
  const response = await fetchSignedIn(call, () => fetchOnce(address, init, sending.signal))
  if (!response.ok) throw await readError(response)
  return response
}

async function sendWithLink<C extends Endpoint>(call: C, request: RequestOf<C>, sending: SendOptions) {
  const { body, link } =
    consumePreloaded(call, request) ?? (await read(await sendRaw(call, request, sending)))
  const answer = call.response.safeDecode(body)
  if (!answer.success) throw unreadableError(200)
  return { answer: answer.data as EndpointOutput<C>, link }
}

/** Stays synchronous: an event between the call and its result would miss a query without data. */
const consumePreloaded = <C extends Endpoint>(call: C, { params, query }: RequestOf<C>) =>
  call.method === 'GET' ? consumePreloadedResponse(buildUrl(call.path, params, query)) : null

/** After a 401 from an expired session, renews it once and repeats the request (R-accounts-31). */
export async function fetchSignedIn(call: Endpoint, ask: () => Promise<Response>): Promise<Response> {
  if (call.method !== 'GET') dropPreloadedResponses()
  const seen = { user: currentGeneration('user'), administrator: currentGeneration('administrator') }
  const first = await ask()
  // On /car, the error is passed through, so that an old cookie never affects the public page
  // (R-accounts-32).
  if (first.ok || location.pathname === '/car') return first
  for (const [name, isQuiet] of await endedSessions(call, first)) {
    if (await renewSession(name, seen[name], isQuiet)) return repeatConfirmed(call, ask, await ask())
  }
  return repeatConfirmed(call, ask, first)
}

/** Repeats a request that was rejected for want of the password, once that was entered again. */
const repeatConfirmed = async (call: Endpoint, ask: () => Promise<Response>, response: Response) =>
  !response.ok && (await askToConfirmPassword(call, response)) ? ask() : response

/** Returns the sessions that may have expired. With `isQuiet`, only this request is affected. */
async function endedSessions(call: Endpoint, response: Response): Promise<[SessionName, isQuiet: boolean][]> {
  if (response.status !== 401 && response.status !== 403) return []
  const { code } = await readError(response.clone())
  if (code === 'InvalidAdminAccessToken') return [['administrator', false]]
  // The endpoint is open to both, and the person was rejected: the administrator's session may need
  // to be renewed.
  const asAdministrator: [SessionName, boolean][] = call.callers.some(isAdminCaller)
    ? [['administrator', true]]
    : []
  if (code === 'InvalidAccessToken') return [['user', false], ...asAdministrator]
  return code === 'Forbidden' ? asAdministrator : []
}

/** Longer than any request may take on the server. */
const timeoutMs = 30_000

async function fetchOnce(
  address: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
  } catch (fault) {
    if (signal?.aborted) throw fault
    throw offlineError()
  }
}

function requestOf(
  call: Endpoint,
  body: unknown,
  { idempotencyKey, keepalive = false }: SendOptions,
): RequestInit {
  const headers = requestHeaders()
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey
  // The server stores the time zone with the session, for the times in its emails.
  if (call.path.startsWith('/auth/')) headers['Time-Zone'] = Intl.DateTimeFormat().resolvedOptions().timeZone
  const init: RequestInit = {
    method: call.method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    keepalive,
  }
  if (!call.body || body === undefined) return init
  const wire = call.body.safeEncode(body)
  if (!wire.success) throw invalidBodyError(wire.error.issues)
  headers['Content-Type'] = 'application/json'
  return { ...init, body: JSON.stringify(wire.data) }
}

/**
 * Proves that the request is from this page to servers that get no Sec-Fetch headers
 * (R-everywhere-12).
 */
export const requestHeaders = (): Record<string, string> => ({
  Accept: 'application/json',
  'X-Requested-With': 'app',
  ...(areCurrentReadsRequired() && { 'Read-Current': '1' }),
})

/** Extracts the cursor from `<…?cursor=…>; rel="next"` (RFC 8288). */
export function nextCursor(link: string | null): string | null {
  const address = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1]
  return address ? new URL(address, 'http://page').searchParams.get('cursor') : null
}

async function read(response: Response) {
  try {
    return { body: (await response.json()) as unknown, link: response.headers.get('link') }
  } catch {
    throw unreadableError(response.status)
  }
}
