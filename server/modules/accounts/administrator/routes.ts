import * as calls from '@keyturn/contract/accounts/administrators.ts'
import type { Deps } from '../../../deps.ts'
import { type HttpContext, registerEndpoint } from '../../../platform/http/register-endpoint.ts'
import { setNextLink } from '../../../platform/http/set-next-link.ts'
import { setDeviceCookie, setTokenCookies, toVisitor } from '../sessions/cookies.ts'
import { confirmPassword, finishEnrollment, readMe, startEnrollment } from './enrollment.ts'
import { listAdminEvents } from './list-admin-events.ts'
import {
  acceptInvitation,
  changeAdministrator,
  inviteAdministrator,
  listAdministrators,
} from './manage-administrators.ts'

const ok = { ok: true } as const

export function registerAdministrators(http: HttpContext, deps: Deps): void {
  registerEndpoint(http, calls.readMe, ({ actor }) => readMe(deps, actor))
  registerEndpoint(http, calls.confirmPassword, async ({ actor, body }) => {
    await confirmPassword(deps, actor, body.password)
    return ok
  })
  registerEndpoint(http, calls.startEnrollment, ({ actor }) => startEnrollment(deps, actor))
  registerEndpoint(http, calls.finishEnrollment, ({ actor, body }) =>
    finishEnrollment(deps, actor, body.code),
  )
  registerEndpoint(http, calls.listAdministrators, ({ actor }) => listAdministrators(deps, actor))
  registerEndpoint(http, calls.inviteAdministrator, ({ actor, body }) =>
    inviteAdministrator(deps, actor, body),
  )
  registerEndpoint(http, calls.changeAdministrator, ({ actor, params, body }) =>
    changeAdministrator(deps, actor, params.administratorId, body.change),
  )
  registerEndpoint(http, calls.acceptInvitation, async ({ body, request, reply }) => {
    const visitor = toVisitor(deps, request, 'administrator')
    const { tokens, proof } = await acceptInvitation(deps, visitor, body)
    setTokenCookies(deps, reply, tokens, 'administrator')
    setDeviceCookie(deps, reply, proof, 'administrator')
    return ok
  })
  registerEndpoint(http, calls.listAdminEvents, async ({ query, request, reply }) => {
    const { events, next } = await listAdminEvents(deps, query)
    if (next) setNextLink(reply, request, next)
    return events
  })
}
