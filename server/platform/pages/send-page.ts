import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { type InlineParts, type RenderedPage, wholeHtml } from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../http/error-handlers.ts'
import { pageHeaders } from '../http/response-headers.ts'
import { acceptsHtml, sendTooManyRequests } from '../http/serve-pages.ts'
import { compressPage } from './compress-page.ts'

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Registers a server-rendered page. Requests that do not accept HTML get 404. */
export function registerPage(app: FastifyInstance, url: string, handler: PageHandler): void {
  // Counted here, because the default limit returns JSON.
  app.get(url, { exposeHeadRoute: false, config: { countedAs: null } }, async (request, reply) => {
    if (!acceptsHtml(request, true)) return sendError(reply, apiErrors.NotFound())
    try {
      app.consumeAddressLimit?.(request, 'pages')
      return await handler(request, reply)
    } catch (fault) {
      if (isTooMany(fault)) return sendTooManyRequests(reply, fault.retryAfterSeconds ?? 1, true)
      throw fault
    }
  })
}

const isTooMany = (fault: unknown): fault is ApiError =>
  (fault as Partial<ApiError>).code === 'TooManyRequests'

/**
 * Content security policy that allows our files and exactly these inline parts (R-everywhere-13).
 * `allowsStyles` permits inline styles, as in the app.
 */
export function pagePolicy({ script, style, allowsStyles }: InlineParts): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return pageHeaders['content-security-policy']
    .replace("style-src 'self' 'unsafe-inline'", allowsStyles ? '$&' : `style-src 'self' ${hash(style)}`)
    .concat(`; script-src 'self' ${hash(script)}`)
}

/** Sends a page that differs for each request and is not cached. */
export const sendUncached = (
  request: FastifyRequest,
  reply: FastifyReply,
  policy: string,
  page: RenderedPage,
) => sendRendered(request, reply, policy, { page: () => page, gzip: () => compressPage(page) })

/** Sends a page that is not cached; `gzip` may return a stored result. */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: string,
  { page, gzip }: { page: () => RenderedPage; gzip: () => Buffer },
) {
  headersOf(reply, policy)
  if (!accepts(request, 'gzip')) return reply.send(wholeHtml(page()))
  return reply.header('content-encoding', 'gzip').send(gzip())
}

type CachedPage = { etag: string; plain: string; gzip: Buffer; br: Buffer }

async function compressForCache(page: RenderedPage): Promise<CachedPage> {
  const html = wholeHtml(page)
  const [gz, br] = await Promise.all([promisify(gzip)(html, { level: 9 }), promisify(brotliCompress)(html)])
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
  return { etag, plain: html, gzip: gz, br }
}

/** Renders a page once per key; clears the cache when it has `max` entries. */
export function createPageCache(max = 20): (key: string, render: () => RenderedPage) => Promise<CachedPage> {
  const cached = new Map<string, Promise<CachedPage>>()
  return (key, render) => {
    const known = cached.get(key) ?? compressForCache(render())
    if (cached.size >= max) cached.clear()
    cached.set(key, known)
    return known
  }
}

/** Sends a page that caches must revalidate, because a new build or another user changes it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  policy: string,
  cached: CachedPage,
  isPrivate = false,
) {
  const caching = isPrivate ? 'private, no-cache' : 'no-cache'
  headersOf(reply, policy).headers({ 'cache-control': caching, etag: cached.etag })
  if (request.headers['if-none-match'] === cached.etag) return reply.code(304).send()
  for (const encoding of ['br', 'gzip'] as const)
    if (accepts(request, encoding)) return reply.header('content-encoding', encoding).send(cached[encoding])
  return reply.send(cached.plain)
}

const headersOf = (reply: FastifyReply, policy: string) =>
  reply
    .headers({ ...pageHeaders, 'content-security-policy': policy, vary: 'cookie, accept-encoding' })
    .type('text/html; charset=utf-8')

const accepts = ({ headers }: FastifyRequest, encoding: string): boolean =>
  new RegExp(`\\b${encoding}\\b(?!;q=0(\\.0+)?(,|$))`).test(String(headers['accept-encoding'] ?? ''))
