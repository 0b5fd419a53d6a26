import * as calls from '@keyturn/contract/notifications/endpoints.ts'
import * as switchCalls from '@keyturn/contract/notifications/switches.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { decodeCursor } from '../../platform/database/page.ts'
import { refusalFor } from '../../platform/http/authorization.ts'
import { nextLink } from '../../platform/http/link.ts'
import { answer, type Door } from '../../platform/http/register-endpoint.ts'
import { readAll, readerOf, readNotification, unreadOf } from './actions.ts'
import { readSwitches, turnSwitch } from './preferences.ts'
import { registerPush } from './push/routes.ts'
import type { ServerEvents } from './server-events.ts'
import { registerStopPage } from './stop-page.ts'
import { listNotifications, wireOf } from './store.ts'

export function registerNotifications(door: Door, deps: Deps, events: ServerEvents): void {
  answer(door, calls.listNotifications, async ({ actor, query, request, reply }) => {
    const after = decodeCursor(query.cursor) ?? beforeAll
    const wanted = { userId: actor.id, ...after, limit: query.limit + 1 }
    const rows = await listNotifications[readerOf(actor)](deps.db, wanted)
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    if (last && rows.length > page.length)
      nextLink(reply, request, { at: last.createdAt.toISOString(), id: last.id })
    return page.map(wireOf)
  })
  answer(door, calls.unreadCount, async ({ actor }) => ({ count: await unreadOf(deps.db, actor) }))
  answer(door, calls.markRead, async ({ actor, params }) =>
    wireOf(await readNotification(deps.db, actor, params.id)),
  )
  answer(door, calls.markAllRead, async ({ actor, body }) => ({
    count: await readAll(deps.db, actor, body.upTo),
  }))
  answer(door, switchCalls.readSwitches, ({ actor }) => readSwitches(deps.db, actor))
  answer(door, switchCalls.setSwitch, async ({ actor, body }) => {
    await turnSwitch(deps.db, actor.id, body)
    return readSwitches(deps.db, actor)
  })
  registerPush(door, deps)
  registerStopPage(door.app, deps)
  registerEvents(door, events)
}

/** The one call that never ends, so `answer` cannot make it. */
export function registerEvents(door: Door, events: ServerEvents): void {
  const { path, who, media } = calls.serverEvents
  door.app.addHook('preClose', () => events.close())
  door.app.get(
    path,
    { exposeHeadRoute: false, config: { call: calls.serverEvents } },
    async (request, reply) => {
      const asker = await door.findSessions(request, { user: true, administrator: false })
      const refusal = refusalFor(who, asker)
      if (refusal || !asker.user) throw refusal
      const { id: userId, sessionId, wholesaler } = asker.user
      await events.ready()
      reply.hijack()
      reply.header('content-type', `${media}; charset=utf-8`)
      // A proxy must pass on each event at once, and the socket is closed with the stream.
      reply.header('x-accel-buffering', 'no').header('connection', 'close')
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      events.join({ userId, sessionId, wholesaler, response: reply.raw }, positionOf(request))
    },
  )
}

/** What the browser itself says when it connects again is newer than what the page's address says. */
function positionOf({ headers, query }: FastifyRequest): string | null {
  const last = headers['last-event-id']
  if (typeof last === 'string' && last) return last
  const { after = null } = query as { after?: unknown }
  // What is no position is one that nobody knows.
  return after === null || typeof after === 'string' ? after : ''
}

/** Later than every row, whatever its id. */
const beforeAll = { at: 'infinity', id: 'g' }
