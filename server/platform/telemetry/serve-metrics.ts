import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

type Text = () => Promise<string>

/** Serves metrics on the main port. Requests without the token get 404 (R-everywhere-49). */
export function serveMetrics(app: FastifyInstance, text: Text, token: string): void {
  app.get(metricsPath, { exposeHeadRoute: false, config: { countedAs: null } }, async (request, reply) => {
    if (!hasToken(request.headers.authorization, token)) {
      reply.callNotFound()
      return reply
    }
    return reply.type(contentType).send(await text())
  })
}

const metricsPath = '/metrics'

/** Serves only metrics, on a separate port for the operator's network. */
export function createMetricsServer(
  text: Text,
  token: string | null,
  onFault: (fault: unknown) => void,
): Server {
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 72_000 }, (request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === metricsPath
    if (!isAsked || (token !== null && !hasToken(request.headers.authorization, token)))
      return void response.writeHead(404).end()
    text().then(
      (lines) => response.writeHead(200, { 'content-type': contentType }).end(lines),
      (fault) => {
        onFault(fault)
        response.writeHead(500).end()
      },
    )
  })
  // Does not keep the process alive.
  return server.unref()
}

/** Compares digests, so that timing reveals neither length nor prefix. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
