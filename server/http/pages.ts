import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Call } from '@keyturn/contract/kit/call.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import type { FastifyInstance } from 'fastify'
import { sendRefusal } from './errors.ts'
import { pageHeaders } from './headers.ts'

const year = 365 * 24 * 3600

/**
 * Pages and their assets. Every GET that no call matches and that asks for HTML by name is a page: the app in the
 * browser knows the rest (an unknown one leads to /). Anything else unknown is 404, a known path by another method 405.
 */
export async function servePages(app: FastifyInstance, folder: URL, calls: readonly Call[]): Promise<void> {
  const root = fileURLToPath(folder)
  const indexFile = new URL('index.html', folder)
  const index = existsSync(indexFile) ? readFileSync(indexFile) : null
  if (index) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      preCompressed: true,
      serveDotFiles: false,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.setHeader(
          'cache-control',
          path.includes('/assets/') ? `public, max-age=${year}, immutable` : 'no-cache',
        )
      },
    })
  }
  const patterns = calls.map((call) => ({ method: call.method, pattern: patternOf(call.path) }))

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const allowed = patterns.filter((known) => known.pattern.test(path)).map((known) => known.method)
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '))
      return sendRefusal(reply, refuse.MethodNotAllowed())
    }
    if (request.method === 'GET' && index && request.headers.accept?.includes('text/html'))
      return reply
        .headers({ ...pageHeaders, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(index)
    return sendRefusal(reply, refuse.NotFound())
  })
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`)
