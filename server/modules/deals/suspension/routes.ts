import * as calls from '@keyturn/contract/accounts/suspensions.ts'
import type { Deps } from '../../../deps.ts'
import { type HttpContext, registerEndpoint } from '../../../platform/http/register-endpoint.ts'
import { markPeopleShown } from '../../accounts/administrator/admin-events.ts'
import { readPersonState, searchPeople } from './read-person.ts'
import { endSessionsOfPerson, liftSuspension, type ResumeDeal, suspendPerson } from './suspend-person.ts'

/** People, their state and their suspensions, for the administrator. */
export function registerSuspensions(http: HttpContext, deps: Deps, resumeDeal: ResumeDeal): void {
  registerEndpoint(http, calls.findPeople, async ({ actor, query }) => {
    const found = await searchPeople(deps.db, query.search)
    markPeopleShown(
      actor,
      found.map(({ _id }) => _id),
    )
    return found
  })
  registerEndpoint(http, calls.readPersonState, ({ params }) => readPersonState(deps.db, params.userId))
  registerEndpoint(http, calls.suspendPerson, async ({ actor, params, body }) => {
    await suspendPerson(deps, actor, params.userId, body)
    return readPersonState(deps.db, params.userId)
  })
  registerEndpoint(http, calls.liftSuspension, async ({ actor, params }) => {
    await liftSuspension(deps, actor, params, resumeDeal)
    return readPersonState(deps.db, params.userId)
  })
  registerEndpoint(http, calls.endSessionsOfPerson, async ({ actor, params }) => {
    await endSessionsOfPerson(deps, actor, params.userId)
    return { ok: true } as const
  })
}
