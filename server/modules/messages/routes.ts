import * as calls from '@keyturn/contract/messages/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { type HttpContext, registerEndpoint } from '../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../platform/http/set-next-link.ts'
import { markPeopleShown } from '../accounts/administrator/admin-events.ts'
import * as messages from './messages.ts'

const ok = { ok: true } as const

export function registerMessages(http: HttpContext, deps: Deps): void {
  registerEndpoint(http, calls.readMessages, ({ actor, params, query }) =>
    messages.readMessages(deps, actor, { params, query }),
  )
  registerEndpoint(http, calls.sendMessage, ({ actor, params, body, intent }) =>
    messages.sendMessage({ ...deps, intent }, actor, params.dealId, body.text),
  )
  registerEndpoint(http, calls.markMessagesSeen, async ({ actor, params, body }) => {
    await messages.markMessagesSeen(deps, actor, params.dealId, body.upTo)
    return ok
  })
  registerEndpoint(http, calls.exportMessages, async ({ actor, params, reply }) => {
    const { name, text } = await messages.exportMessages(deps, actor, params.dealId)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return text
  })
  registerEndpoint(http, calls.reportMessage, ({ actor, params, body, intent }) =>
    messages.reportMessage({ ...deps, intent }, actor, params, body.reason),
  )
  registerEndpoint(http, calls.listReports, async ({ actor, query, request, reply }) => {
    const { reports, next } = await messages.listReports(deps, query)
    markPeopleShown(
      actor,
      reports.map(({ senderId }) => senderId),
    )
    if (next) setNextLink(reply, request, next)
    return reports
  })
  registerEndpoint(http, calls.handleReport, async ({ actor, params }) => {
    await messages.handleReport(deps, actor, params.messageId)
    return ok
  })
}
