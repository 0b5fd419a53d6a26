import rateLimit from '@fastify/rate-limit'
import { allCalls } from '@keyturn/contract/calls.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { callTurns } from './accounts/actions.ts'
import { registerAccounts } from './accounts/routes.ts'
import { findSessions } from './accounts/sessions.ts'
import { registerCars } from './cars/routes.ts'
import { newId } from './db/new-id.ts'
import { detachTrade, startDealOnRegistration } from './deals/actions.ts'
import { registerDeals } from './deals/routes.ts'
import type { Deps } from './deps.ts'
import type { Door } from './http/answer.ts'
import { bodyLimit, readJsonOnly } from './http/body.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { handleError, refuseAddress, refuseBytes } from './http/errors.ts'
import { headersOf, setHeaders } from './http/headers.ts'
import { type HealthWords, registerHealth } from './http/health.ts'
import { onceIn } from './http/once.ts'
import { openApiOf } from './http/openapi.ts'
import { isAsset, servePages } from './http/pages.ts'
import { addressLimits } from './limits.ts'
import { registerNotifications } from './notifications/routes.ts'
import { registerTrades } from './trades/routes.ts'

/**
 * The whole server on given dependencies, not yet listening. `pages` is the folder of the built web; what `beside` tells of
 * work that this process does besides answering is told to whoever asks for its health.
 */
export async function buildApp(deps: Deps, pages: URL, beside: HealthWords = {}): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log
  const isHttps = deps.config.publicUrl.protocol === 'https:'
  const app = fastify({
    loggerInstance,
    // Requests are logged by `logChanges`, one line each.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    // A logger of its own per request costs more than it tells: lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    // Slow senders are let go: no honest browser takes longer for its headers or its 64 KiB.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    trustProxy: trustHops(deps.config.trustProxyHops),
    clientErrorHandler: refuseBytes,
    frameworkErrors: refuseAddress(headersOf(isHttps)),
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
  })
  app.setErrorHandler(handleError)
  readJsonOnly(app)
  setHeaders(app, isHttps)
  refuseCrossSite(app, deps.config.publicUrl.origin)
  if (deps.config.rateLimits) await limitRequests(app)
  logChanges(app, deps.log)

  const door: Door = {
    app,
    findSessions: findSessions(deps),
    takeTurn: callTurns(deps),
    once: onceIn(deps),
  }
  registerHealth(app, deps.pool, beside)
  registerNotifications(door, deps)
  registerAccounts(door, deps, { afterRegister: startDealOnRegistration })
  registerCars(door, deps)
  registerTrades(door, deps, { beforeDelete: detachTrade(deps) })
  registerDeals(door, deps)

  const openApi = openApiOf(allCalls, '0.1.0')
  app.get('/openapi.json', { exposeHeadRoute: false }, async () => openApi)
  await servePages(app, pages, allCalls)
  return app
}

/** Only as many proxies as the operator runs are believed about the client's address. */
const trustHops = (hops: number) => (hops === 0 ? false : (_address: string, hop: number) => hop < hops)

/** Counted per process: this only keeps one address from taking the server for itself; accounts are guarded in PostgreSQL. */
async function limitRequests(app: FastifyInstance): Promise<void> {
  const { calls, assets } = addressLimits
  // Before the package looks at the routes. What a page is made of takes nothing from what it then asks for.
  app.addHook('onRoute', (route) => {
    if (isAsset(route.url)) route.config = { ...route.config, rateLimit: { max: assets.most } }
  })
  await app.register(rateLimit, {
    max: calls.most,
    timeWindow: calls.withinMs,
    errorResponseBuilder: (_request, context) =>
      refuse.TooManyRequests({ retryAfterSeconds: context.ttl / 1000 }),
  })
}

/** Names a request in log lines and in what a person may report: this process, then a number. */
function requestIds(): () => string {
  const process = newId().slice(0, 8)
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** One line per change and per failure; the route's pattern, never the address: addresses carry codes and ids. */
function logChanges(app: FastifyInstance, log: Deps['log']): void {
  app.addHook('onResponse', async (request, reply) => {
    const level = reply.statusCode >= 500 ? 'warn' : request.method === 'GET' ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return
    const route = request.routeOptions.url ?? 'unmatched'
    log[level](
      {
        reqId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
