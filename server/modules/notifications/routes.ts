import * as calls from '@keyturn/contract/notifications/endpoints.ts'
import * as switchCalls from '@keyturn/contract/notifications/preferences.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { decodeCursor } from '../../platform/database/pagination.ts'
import { authorizationError } from '../../platform/http/authorization.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../platform/http/set-next-link.ts'
import type { ServerEvents } from './events/server-events.ts'
import { readPreferences, setPreference } from './preferences.ts'
import { registerPush } from './push/routes.ts'
import { markAllRead, markRead, readerOf, readUnreadCount } from './read-notifications.ts'
import { listNotifications, toNotification } from './repository.ts'
import { registerUnsubscribePage } from './unsubscribe-page.ts'

export function registerNotifications(http: HttpContext, deps: Deps, events: ServerEvents): void {
  registerEndpoint(http, calls.listNotifications, async ({ actor, query, request, reply }) => {
    const after = decodeCursor(query.cursor) ?? beforeAll
    const start = { userId: actor.id, ...after, limit: query.limit + 1 }
    const reader = query.own === 'true' ? 'addressee' : readerOf(actor)
    const rows = await listNotifications[reader](deps.db, start)
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    if (last && rows.length > page.length)
      setNextLink(reply, request, { at: last.createdAt.toISOString(), id: last.id })
    return page.map(toNotification)
  })
  registerEndpoint(http, calls.readUnreadCount, async ({ actor }) => ({
    count: await readUnreadCount(deps.db, actor),
  }))
  registerEndpoint(http, calls.markRead, async ({ actor, params }) =>
    toNotification(await markRead(deps.db, actor, params.id)),
  )
  registerEndpoint(http, calls.markAllRead, async ({ actor, body }) => ({
    count: await markAllRead(deps.db, actor, body.upTo),
  }))
  registerEndpoint(http, switchCalls.readPreferences, ({ actor }) => readPreferences(deps.db, actor))
  registerEndpoint(http, switchCalls.setPreference, async ({ actor, body }) => {
    await setPreference(deps.db, actor.id, body)
    return readPreferences(deps.db, actor)
  })
  registerPush(http, deps)
  registerUnsubscribePage(http.app, deps)
  registerEvents(http, events)
}

/** Registers the only endpoint that never ends, which `registerEndpoint` does not support. */
export function registerEvents(http: HttpContext, events: ServerEvents): void {
  const { path, callers, media } = calls.streamServerEvents
  http.app.addHook('preClose', () => events.close())
  http.app.get(
    path,
    { exposeHeadRoute: false, config: { call: calls.streamServerEvents } },
    async (request, reply) => {
      const caller = await http.findSessions(request, { user: true, administrator: false })
      const refusal = authorizationError(callers, caller)
      const { user } = caller
      // The stream ends with its session: a token opens none, because the endpoint has no scope.
      if (refusal || !user?.sessionId) throw refusal
      const { id: userId, sessionId, wholesaler } = { ...user, sessionId: user.sessionId }
      await events.ready()
      reply.hijack()
      reply.header('content-type', `${media}; charset=utf-8`)
      // A proxy must forward each event immediately, and the socket closes with the stream.
      reply.header('x-accel-buffering', 'no').header('connection', 'close')
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      events.join({ userId, sessionId, wholesaler, response: reply.raw }, positionOf(request))
    },
  )
}

/** The header, which the browser sends on reconnect, is newer than the parameter in the URL. */
function positionOf({ headers, query }: FastifyRequest): string | null {
  const last = headers['last-event-id']
  if (typeof last === 'string' && last) return last
  const { after = null } = query as { after?: unknown }
  // An invalid position is treated as an unknown one.
  return after === null || typeof after === 'string' ? after : ''
}

/** Sorts before every row of a list that begins with the newest. */
const beforeAll = { at: 'infinity', id: 'g' }
