import { adminLogin, getUser, login, loginByLink } from '@keyturn/contract/accounts/endpoints.ts'
import type { AccountFormPages } from '@keyturn/contract/accounts/register-page.ts'
import type { AgreementPages } from '@keyturn/contract/agreements/verify-page.ts'
import { apiDocs } from '@keyturn/contract/api-docs.ts'
import type { CarFormPages, CarPages } from '@keyturn/contract/cars/car-pages.ts'
import { reportViewing } from '@keyturn/contract/deals/presence/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { allErrors } from '@keyturn/contract/errors.ts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Deps } from './deps.ts'
import { createAdminAuditLog } from './modules/accounts/administrator/admin-audit-log.ts'
import { registerAccountForms } from './modules/accounts/form-pages.ts'
import { readUser } from './modules/accounts/people/profile.ts'
import { registerPrivacy } from './modules/accounts/privacy/register-privacy.ts'
import { registerAccounts } from './modules/accounts/routes.ts'
import { createSessionFinder } from './modules/accounts/sessions/sessions.ts'
import { signInRedirectFor } from './modules/accounts/sign-in-redirect.ts'
import { agreementAttachments } from './modules/agreements/agreement-pdf-store.ts'
import { registerAgreements } from './modules/agreements/routes.ts'
import { signWith } from './modules/agreements/sign.ts'
import { registerVerifyPage } from './modules/agreements/verification/verify-page.ts'
import { registerBuyPage } from './modules/cars/buy-page.ts'
import { registerCarPage } from './modules/cars/car-page.ts'
import { serveIllustrations } from './modules/cars/illustrations/serve-illustrations.ts'
import { createPreviews } from './modules/cars/preview/previews.ts'
import { registerCars } from './modules/cars/routes.ts'
import { registerDealerApi } from './modules/dealers/dealer-api/routes.ts'
import { registerDealerDesk } from './modules/dealers/desk/routes.ts'
import { passToDealer } from './modules/dealers/pass-to-dealer.ts'
import { registerDealers } from './modules/dealers/routes.ts'
import { dealerAttachments } from './modules/dealers/webhook-delivery/dealer-email.ts'
import { resumeDealerDelivery } from './modules/dealers/webhook-delivery/enqueue-dealer-delivery.ts'
import { listFirstRequests } from './modules/deals/dashboards/first-requests.ts'
import { readCarOfParty, readCarSoldElsewhere, readSharedCar } from './modules/deals/dashboards/read-deals.ts'
import { listingHooks } from './modules/deals/listing-hooks.ts'
import { detachTrade, lockRequestOfTrade } from './modules/deals/purchase/detach-trade.ts'
import { startDealOnRegistration } from './modules/deals/purchase/start-deal-on-registration.ts'
import { registerDeals } from './modules/deals/routes.ts'
import { registerSuspensions } from './modules/deals/suspension/routes.ts'
import { eraseMessagesOfPerson } from './modules/messages/messages.ts'
import { registerMessages } from './modules/messages/routes.ts'
import { createServerEvents, type ServerEvents } from './modules/notifications/events/server-events.ts'
import { registerNotifications } from './modules/notifications/routes.ts'
import { registerTrades } from './modules/trades/routes.ts'
import { personalData } from './personal-data.ts'
import { newId } from './platform/database/new-id.ts'
import { createReadRouter, rememberLsn } from './platform/database/standbys/route-reads.ts'
import type { Standbys } from './platform/database/standbys/standbys.ts'
import { type FindSessions, rejectUnscopedTokens } from './platform/http/authorization.ts'
import { createHttpServer } from './platform/http/connections.ts'
import { rejectCrossSite } from './platform/http/cross-site.ts'
import {
  createErrorHandler,
  createInvalidUrlHandler,
  handleClientError,
  logFieldsOf,
} from './platform/http/error-handlers.ts'
import { type HealthFields, registerHealth } from './platform/http/health.ts'
import { createIdempotency } from './platform/http/idempotency.ts'
import { lazyOpenApi, serveOpenApi } from './platform/http/openapi.ts'
import type { HttpContext } from './platform/http/register-endpoint.ts'
import { bodyLimit, registerJsonParser, registerUploadParser } from './platform/http/request-body.ts'
import { responseHeaders, setHeaders } from './platform/http/response-headers.ts'
import { servePages } from './platform/http/serve-pages.ts'
import { addShutdownHooks } from './platform/http/shutdown-hooks.ts'
import type { TrustProxy } from './platform/http/trusted-proxies.ts'
import { createPagePreload } from './platform/pages/page-preload.ts'
import type { Renderer } from './platform/pages/renderer.ts'
import { registerStaticPages } from './platform/pages/static-pages.ts'
import { limitAddresses } from './platform/rate-limits/address-limits.ts'
import { createEndpointLimiter } from './platform/rate-limits/in-memory-limits.ts'
import { servePhotos } from './platform/storage/serve-photos.ts'
import { countRequests } from './platform/telemetry/count-requests.ts'
import type { Metrics } from './platform/telemetry/metrics.ts'
import { serveMetrics } from './platform/telemetry/serve-metrics.ts'
import type { Traces } from './platform/telemetry/traces.ts'

const openApi = lazyOpenApi({ calls: allEndpoints, errors: allErrors, docs: apiDocs, version: '0.2.0' })

export type FormPages = AccountFormPages & CarFormPages
export type PageRenderer = Renderer<CarPages & AgreementPages, FormPages>
type AppOptions = {
  /** Extra lines for this process's health endpoint. */
  health?: HealthFields
  /** Null: no public pages, as in the tests of endpoints. */
  renderer?: PageRenderer | null
  /** Collects this process's metrics; null: they are off. */
  metrics?: Metrics | null
  /** Traces requests; null: tracing is off. */
  traces?: Pick<Traces, 'watchRequests'> | null
  /** Standbys that answer reads; null: the primary answers all. */
  standbys?: Standbys | null
  /** Whether this process is draining. */
  isDraining?: () => boolean
}

/** Builds the server, which is not listening yet. `pages` is the folder of the built web. */
export async function buildApp(
  deps: Deps,
  pages: URL,
  {
    health = {},
    renderer = null,
    metrics = null,
    traces = null,
    standbys = null,
    isDraining = () => false,
  }: AppOptions = {},
): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log
  const isHttps = deps.config.publicUrl.protocol === 'https:'
  const app = fastify({
    loggerInstance,
    // Requests are logged by `logChanges`, one line each.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    // A logger for each request costs time, and the lines already name the request.
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    serverFactory: (answer) =>
      createHttpServer(answer, deps.config, deps.log, metrics?.countRefusedConnection),
    trustProxy: trustProxies(deps),
    // `addShutdownHooks` answers while the server closes.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    frameworkErrors: createInvalidUrlHandler(responseHeaders(isHttps)),
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
  })
  traces?.watchRequests(app)
  app.setErrorHandler(createErrorHandler(deps.onApiError))
  registerJsonParser(app)
  registerUploadParser(app)
  setHeaders(app, isHttps)
  addShutdownHooks(app, isDraining)
  rejectCrossSite(app, deps.config.publicUrl.origin)
  rejectUnscopedTokens(app)
  if (deps.config.rateLimits) limitAddresses(app, deps)
  logChanges(app, deps.log)
  if (standbys) rememberLsn(app, deps.config, standbys)

  const http: HttpContext = {
    app,
    findSessions: storeCaller(app, createSessionFinder(deps)),
    checkRateLimit: createEndpointLimiter(deps),
    adminAuditLog: createAdminAuditLog(deps),
    runRead: createReadRouter({ ...deps, standbys, onRead: metrics?.countRead }),
    runOnce: createIdempotency(deps),
  }
  registerHealth(app, deps.pool, health, isDraining)
  const events = createServerEvents(deps, { hasStandbys: standbys !== null })
  if (metrics) count(app, deps, metrics, events)
  registerNotifications(http, deps, events)
  registerAccounts(http, deps, {
    afterRegister: startDealOnRegistration,
    attachmentSources: { agreement: agreementAttachments(deps), delivery: dealerAttachments(deps) },
  })
  registerPrivacy(http, deps, personalData)
  registerCars(http, deps, { ...listingHooks, carFor: readSharedCar })
  registerTrades(http, deps, { beforeDelete: detachTrade(deps), lockRequest: lockRequestOfTrade(deps) })
  registerDeals(http, deps, {
    viewers: events,
    sign: signWith(passToDealer),
    eraseOtherRows: eraseMessagesOfPerson,
  })
  registerSuspensions(http, deps, resumeDealerDelivery)
  registerAgreements(http, deps)
  registerMessages(http, deps)
  registerDealers(http, deps)
  registerDealerApi(http, deps)
  registerDealerDesk(http, deps)

  serveOpenApi(app, openApi)
  servePhotos(app, deps.pictures)
  serveIllustrations(app)
  if (renderer) registerPages(http, deps, renderer)
  const preload = renderer && {
    files: renderer.firstFiles,
    userPath: getUser.path,
    firstPaths: listFirstRequests,
    position: events.position,
  }
  // Without the forms there is no page to redirect a signed-out visitor to.
  await servePages(
    app,
    pages,
    allEndpoints,
    preload ? { signInRedirect: signInRedirectFor(deps), preload: createPagePreload(app, preload) } : {},
  )
  return app
}

function registerPages(http: HttpContext, deps: Deps, { pages, forms, colors }: PageRenderer): void {
  const { app, findSessions } = http
  registerStaticPages(app, {
    config: deps.config,
    pages,
    findSessions,
    homeOf: async (user) => (await readUser(deps, user)).home,
    openApi,
  })
  const previews = createPreviews({
    deps,
    onFault: (fault) => deps.log.error({ err: fault }, 'a link preview could not be drawn'),
  })
  app.addHook('onClose', () => previews.close())
  registerCarPage(http, deps, {
    pages,
    colors,
    carOfParty: readCarOfParty,
    carSoldElsewhere: readCarSoldElsewhere,
    previews,
  })
  registerVerifyPage(http, deps, { pages })
  registerAccountForms(app, deps.config, forms)
  registerBuyPage(http, deps, forms)
}

/**
 * Trusts the configured proxies. Behind an untrusted proxy all visitors share its address and
 * limits, so that is logged once.
 */
function trustProxies({ config, log }: Deps): TrustProxy | false {
  const { trustProxy } = config
  if (!trustProxy) return false
  let isLogged = false
  return (address, hop) => {
    const isTrusted = trustProxy(address, hop)
    if (!isTrusted && hop === 0 && !isLogged) {
      isLogged = true
      log.warn({ peer: address }, 'X-Forwarded-* is ignored, because TRUST_PROXY does not name this peer')
    }
    return isTrusted
  }
}

/** Stores the caller for the log line of the request. */
function storeCaller(app: FastifyInstance, find: FindSessions): FindSessions {
  app.decorateRequest('caller', null)
  app.decorateRequest('dealId', null)
  app.decorateRequest('refused', null)
  return async (request, wanted) => {
    const caller = await find(request, wanted)
    request.caller = caller
    return caller
  }
}

function count(app: FastifyInstance, { config }: Deps, metrics: Metrics, events: ServerEvents): void {
  countRequests(app, metrics, [
    { call: login, who: 'user' },
    { call: loginByLink, who: 'user' },
    { call: adminLogin, who: 'administrator' },
  ])
  metrics.addGauge('keyturn_streams', events.count)
  if (config.metrics.token !== null) serveMetrics(app, metrics.text, config.metrics.token)
}

/** Returns ids for requests, in logs and in problem reports: the process, then a number. */
function requestIds(): () => string {
  const process = newId().slice(0, 8)
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/**
 * Logs one line per change and per failure, without the URL, because URLs contain codes and ids.
 */
function logChanges(app: FastifyInstance, log: Deps['log']): void {
  // The fields of these lines are known, and searching them for secrets would triple the time of a
  // line.
  const lines = log.child({}, { redact: [], level: 'trace' })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched'
    // Reports that a person has a deal open are not logged (R-deals-82).
    const changes = request.method !== 'GET' && route !== reportViewing.path
    const level = reply.statusCode >= 500 ? 'warn' : changes ? 'info' : 'debug'
    if (!log.isLevelEnabled(level)) return
    const { deal, ...ids } = logFieldsOf(request)
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
