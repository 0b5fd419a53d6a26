import * as calls from '@keyturn/contract/messages/endpoints.ts'
import type { Deps } from '../../deps.ts'
import { nextLink } from '../../platform/http/link.ts'
import { answer, type Door } from '../../platform/http/register-endpoint.ts'
import * as messages from './messages.ts'

const ok = { ok: true } as const

export function registerMessages(door: Door, deps: Deps): void {
  answer(door, calls.readMessages, ({ actor, params, query }) =>
    messages.readMessages(deps, actor, { params, query }),
  )
  answer(door, calls.sendMessage, ({ actor, params, body, intent }) =>
    messages.sendMessage({ ...deps, intent }, actor, params.dealId, body.text),
  )
  answer(door, calls.seeMessages, async ({ actor, params, body }) => {
    await messages.seeMessages(deps, actor, params.dealId, body.upTo)
    return ok
  })
  answer(door, calls.messagesFile, async ({ actor, params, reply }) => {
    const { name, text } = await messages.messagesFile(deps, actor, params.dealId)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return text
  })
  answer(door, calls.reportMessage, ({ actor, params, body, intent }) =>
    messages.reportMessage({ ...deps, intent }, actor, params, body.reason),
  )
  answer(door, calls.listReports, async ({ query, request, reply }) => {
    const { reports, next } = await messages.listReports(deps, query)
    if (next) nextLink(reply, request, next)
    return reports
  })
  answer(door, calls.handleReport, async ({ params }) => {
    await messages.handleReport(deps, params.messageId)
    return ok
  })
}
