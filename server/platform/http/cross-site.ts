import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerToken } from './authorization.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
/** GETs that change a session (R-everywhere-12). */
const effectfulGets = new Set(['/auth/logout', '/auth/refresh', '/auth/admin/logout', '/auth/admin/refresh'])

/**
 * Rejects cross-site browser requests; other clients send no cookies (R-everywhere-12). The cookies
 * of a request with a token are not read (R-accounts-69), and no other site can make a browser send
 * a token.
 */
export function rejectCrossSite(app: FastifyInstance, ownOrigin: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const hasEffect = effectfulGets.has(request.routeOptions.url ?? '')
    if (safeMethods.has(request.method) && !hasEffect) return
    reply.header('vary', 'Origin, Sec-Fetch-Site')
    if (bearerToken(request) !== null) return
    if (!isSameSite(request, ownOrigin, hasEffect)) throw apiErrors.CsrfRejected()
  })
}

function isSameSite(request: FastifyRequest, ownOrigin: string, hasEffectAsGet: boolean): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' && (!hasEffectAsGet || isFetch(request))
  const { origin, referer } = request.headers
  const from = origin ?? (referer === undefined ? undefined : originOf(referer))
  if (from === undefined) return true
  // Older browsers send no `Sec-Fetch-*`; only a script can set `X-Requested-With`.
  return from === ownOrigin && (!hasEffectAsGet || request.headers['x-requested-with'] === 'app')
}

/** Links, images and prefetches are GETs too, even on the app's pages; only scripts sign out. */
const isFetch = (request: FastifyRequest): boolean =>
  request.headers['sec-fetch-dest'] === 'empty' &&
  ['cors', 'same-origin'].includes(String(request.headers['sec-fetch-mode']))

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)
