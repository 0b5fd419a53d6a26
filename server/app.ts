import { adminLogin, getUser, login, loginByLink } from '@keyturn/contract/accounts/endpoints.ts'
import type { AccountForms } from '@keyturn/contract/accounts/page.ts'
import type { CarForms, CarPages } from '@keyturn/contract/cars/page.ts'
import type { DealPages } from '@keyturn/contract/deals/page.ts'
import { lookAtDeal } from '@keyturn/contract/deals/presence/endpoints.ts'
import { allCalls } from '@keyturn/contract/endpoints.ts'
import { allRefusals } from '@keyturn/contract/errors.ts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { registerAccountForms } from './accounts/form-pages.ts'
import { gateFor } from './accounts/gate.ts'
import { readUser } from './accounts/people/profile.ts'
import { registerAccounts } from './accounts/routes.ts'
import { findSessions } from './accounts/sessions/sessions.ts'
import { registerBuyPage } from './cars/buy-page.ts'
import { registerCarPage } from './cars/car-page.ts'
import { openPreviews } from './cars/preview/previews.ts'
import { registerCars } from './cars/routes.ts'
import { newId } from './db/new-id.ts'
import { registerDealerDesk } from './dealer-desk/routes.ts'
import { agreementLetters, dealerLetters, detachTrade, startDealOnRegistration } from './deals/actions.ts'
import { firstCallsAt } from './deals/first-calls.ts'
import { carFor, carOfParty, lostCar } from './deals/reading.ts'
import { registerDeals } from './deals/routes.ts'
import { registerVerifyPage } from './deals/verification/verify-page.ts'
import type { Deps } from './deps.ts'
import type { Door } from './http/answer.ts'
import { refuseAtTheDoor } from './http/at-the-door.ts'
import { bodyLimit, readJsonOnly, takeUploads } from './http/body.ts'
import { openServer } from './http/connections.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { errorHandler, idsOf, refuseAddress, refuseBytes } from './http/errors.ts'
import { headersOf, setHeaders } from './http/headers.ts'
import { type HealthWords, registerHealth } from './http/health.ts'
import { onceIn } from './http/once.ts'
import { openApiOf } from './http/openapi.ts'
import { servePages } from './http/pages.ts'
import type { TrustProxy } from './http/proxies.ts'
import type { FindSessions } from './http/who.ts'
import { limitAddresses } from './limits/address-limits.ts'
import { callTurns } from './limits/counted-in-memory.ts'
import { servePhotos } from './media/serving.ts'
import { registerNotifications } from './notifications/routes.ts'
import { openServerEvents, type ServerEvents } from './notifications/server-events.ts'
import { bringAlong } from './pages/bring-along.ts'
import { registerCommonPages } from './pages/common-pages.ts'
import type { Renderer } from './pages/renderer.ts'
import { countRequests } from './telemetry/count-requests.ts'
import type { Metrics } from './telemetry/metrics.ts'
import { serveMetricsBeside } from './telemetry/serve-metrics.ts'
import type { Traces } from './telemetry/traces.ts'
import { registerTrades } from './trades/routes.ts'

export type FormPages = AccountForms & CarForms
export type PageRenderer = Renderer<CarPages & DealPages, FormPages>
type Beside = {
  /** What this process says about its work in the background when its health is asked for. */
  health?: HealthWords
  /** Without one, the public pages are not there: the tests of calls need none. */
  renderer?: PageRenderer | null
  /** Where this process counts what it does; null: nobody reads it. */
  metrics?: Metrics | null
  /** What writes down how requests go; null: nobody asks for it. */
  traces?: Pick<Traces, 'watchRequests'> | null
  /** Whether this process wants no more visitors. */
  isDraining?: () => boolean
}

/** The whole server on given dependencies, not yet listening. `pages` is the folder of the built web. */
export async function buildApp(
  deps: Deps,
  pages: URL,
  { health = {}, renderer = null, metrics = null, traces = null, isDraining = () => false }: Beside = {},
): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log
  const isHttps = deps.config.publicUrl.protocol === 'https:'
  const app = fastify({
    loggerInstance,
    // Requests are logged by `logChanges`, one line each.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    // A logger for each request costs time, and the lines name the request already.
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    serverFactory: (answer) => openServer(answer, deps.config, deps.log, metrics?.connectionRefused),
    trustProxy: believing(deps),
    // `refuseAtTheDoor` answers while the server closes.
    return503OnClosing: false,
    clientErrorHandler: refuseBytes,
    frameworkErrors: refuseAddress(headersOf(isHttps)),
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
  })
  traces?.watchRequests(app)
  app.setErrorHandler(errorHandler(deps.onRefusal))
  readJsonOnly(app)
  takeUploads(app)
  setHeaders(app, isHttps)
  refuseAtTheDoor(app, isDraining)
  refuseCrossSite(app, deps.config.publicUrl.origin)
  if (deps.config.rateLimits) limitAddresses(app, deps)
  logChanges(app, deps.log)

  const door: Door = {
    app,
    findSessions: rememberAsker(app, findSessions(deps)),
    takeTurn: callTurns(deps),
    once: onceIn(deps),
  }
  registerHealth(app, deps.pool, health, isDraining)
  const events = openServerEvents(deps)
  if (metrics) count(app, deps, metrics, events)
  registerNotifications(door, deps, events)
  registerAccounts(door, deps, {
    afterRegister: startDealOnRegistration,
    mailCarriers: { agreement: agreementLetters(deps), delivery: dealerLetters(deps) },
  })
  registerCars(door, deps, { carFor })
  registerTrades(door, deps, { beforeDelete: detachTrade(deps) })
  registerDeals(door, deps, events)
  registerDealerDesk(door, deps)

  const openApi = openApiOf(allCalls, allRefusals, '0.2.0')
  app.get('/openapi.json', { exposeHeadRoute: false }, async () => openApi)
  servePhotos(app, deps.pictures)
  if (renderer) registerPages(door, deps, renderer)
  const along = renderer && {
    files: renderer.firstFiles,
    whoAsks: getUser.path,
    callsAt: firstCallsAt,
    position: events.position,
  }
  // Without the forms there is nowhere to send a stranger.
  await servePages(
    app,
    pages,
    allCalls,
    along ? { gate: gateFor(deps), bringAlong: bringAlong(app, along) } : {},
  )
  return app
}

function registerPages(door: Door, deps: Deps, { pages, forms, colors }: PageRenderer): void {
  const { app, findSessions } = door
  registerCommonPages(app, {
    config: deps.config,
    pages,
    findSessions,
    homeOf: async (user) => (await readUser(deps, user)).home,
  })
  const previews = openPreviews({
    deps,
    onFault: (fault) => deps.log.error({ err: fault }, 'preview of a link'),
  })
  app.addHook('onClose', () => previews.close())
  registerCarPage(door, deps, { pages, colors, carOfParty, lostCar, previews })
  registerVerifyPage(door, deps, { pages })
  registerAccountForms(app, forms)
  registerBuyPage(door, deps, forms)
}

/** With a proxy that is not believed, all visitors have its address and share its limits: the log says so once. */
function believing({ config, log }: Deps): TrustProxy | false {
  const { trustProxy } = config
  if (!trustProxy) return false
  let said = false
  return (address, hop) => {
    const believed = trustProxy(address, hop)
    if (!believed && hop === 0 && !said) {
      said = true
      log.warn({ peer: address }, 'X-Forwarded-* is not believed from a peer that TRUST_PROXY does not name')
    }
    return believed
  }
}

/** The line that a request leaves in the log says who asked. */
function rememberAsker(app: FastifyInstance, find: FindSessions): FindSessions {
  app.decorateRequest('asker', null)
  app.decorateRequest('dealId', null)
  app.decorateRequest('refused', null)
  return async (request, wanted) => {
    const asker = await find(request, wanted)
    request.asker = asker
    return asker
  }
}

function count(app: FastifyInstance, { config }: Deps, metrics: Metrics, events: ServerEvents): void {
  countRequests(app, metrics, [
    { call: login, who: 'user' },
    { call: loginByLink, who: 'user' },
    { call: adminLogin, who: 'administrator' },
  ])
  metrics.watch('keyturn_streams', events.count)
  if (config.metrics.token !== null) serveMetricsBeside(app, metrics.text, config.metrics.token)
}

/** Names a request in log lines and in what a person may report: this process, then a number. */
function requestIds(): () => string {
  const process = newId().slice(0, 8)
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** One line per change and per failure; the route's pattern, never the address: addresses carry codes and ids. */
function logChanges(app: FastifyInstance, log: Deps['log']): void {
  // What it says is known, and looking through it for secrets would take three times as long as writing it.
  const lines = log.child({}, { redact: [], level: 'trace' })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched'
    // Nor is it written down who looked at a deal, and when (R-deals-82).
    const changes = request.method !== 'GET' && route !== lookAtDeal.path
    const level = reply.statusCode >= 500 ? 'warn' : changes ? 'info' : 'debug'
    if (!log.isLevelEnabled(level)) return
    const { deal, ...ids } = idsOf(request)
    lines[level](
      {
        ...ids,
        deal: changes || reply.statusCode >= 500 ? deal : undefined,
        method: request.method,
        route,
        status: reply.statusCode,
        refused: request.refused ?? undefined,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
