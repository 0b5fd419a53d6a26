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
  if (index) await app.register(serveFiles, { root })
  const patterns = [...calls, ...ourOwn].map(({ method, path }) => ({ method, pattern: patternOf(path) }))

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

async function serveFiles(app: FastifyInstance, { root }: { root: string }): Promise<void> {
  // Last of all: what every answer says about keeping it goes over what the file server says.
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode < 400) reply.header('cache-control', keptFor(request.url))
  })
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    preCompressed: true,
    // The page has headers of its own, wherever it is asked for.
    globIgnore: ['**/index.html'],
    serveDotFiles: false,
    cacheControl: false,
  })
}

/** The name of an asset changes with its contents. */
const keptFor = (url: string): string =>
  url.startsWith('/assets/') ? `public, max-age=${year}, immutable` : 'no-cache'

/** What is there beside the calls of the contract. */
const ourOwn = ['/health/live', '/health/ready', '/openapi.json'].map((path) => ({ method: 'GET', path }))

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`)
