import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
/** GETs that change a session (R-everywhere-12). */
const effectfulGets = new Set(['/auth/logout', '/auth/refresh', '/auth/admin/logout', '/auth/admin/refresh'])

/** Refuses what another site's page made a browser send; what is no browser's has no cookies to abuse (R-everywhere-12). */
export function rejectCrossSite(app: FastifyInstance, ownOrigin: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const effectful = effectfulGets.has(request.routeOptions.url ?? '')
    if (safeMethods.has(request.method) && !effectful) return
    reply.header('vary', 'Origin, Sec-Fetch-Site')
    if (!isOurs(request, ownOrigin, effectful)) throw apiErrors.CsrfRejected()
  })
}

function isOurs(request: FastifyRequest, ownOrigin: string, effectfulGet: boolean): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' && (!effectfulGet || isFetch(request))
  const { origin, referer } = request.headers
  const from = origin ?? (referer === undefined ? undefined : originOf(referer))
  if (from === undefined) return true
  // An older browser does not say what it fetches for; only a script can say that it is one.
  return from === ownOrigin && (!effectfulGet || request.headers['x-requested-with'] === 'app')
}

/** A link, an image or a prefetch is a GET too, even from our own pages; only a script's fetch may sign out. */
const isFetch = (request: FastifyRequest): boolean =>
  request.headers['sec-fetch-dest'] === 'empty' &&
  ['cors', 'same-origin'].includes(String(request.headers['sec-fetch-mode']))

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)
