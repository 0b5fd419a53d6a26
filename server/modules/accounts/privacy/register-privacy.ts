import * as calls from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { privacyTexts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import type { Deps } from '../../../deps.ts'
import { type HttpContext, registerEndpoint } from '../../../platform/http/register-endpoint.ts'
import { endOtherSessions, endSession, listSessions } from '../sessions/own-sessions.ts'
import { exportData, type PersonalData, readPrivacy } from './personal-data.ts'

const { fileNames } = privacyTexts.download

/** Registers what people see and control about themselves: sessions, their data, its readers. */
export function registerPrivacy(http: HttpContext, deps: Deps, data: PersonalData): void {
  registerEndpoint(http, calls.listSessions, ({ actor }) => listSessions(deps.db, actor))
  registerEndpoint(http, calls.endSession, ({ actor, params }) => endSession(deps, actor, params.sessionId))
  registerEndpoint(http, calls.endOtherSessions, ({ actor }) => endOtherSessions(deps, actor))
  registerEndpoint(http, calls.readPrivacy, ({ actor }) => readPrivacy(deps, data, actor))
  registerEndpoint(http, calls.exportData, async ({ actor, body, reply }) => {
    const file = await exportData(deps, data, actor, body)
    reply.header('content-disposition', `attachment; filename="${fileNames[body.format]}"`)
    reply.header('cache-control', 'no-store')
    return file
  })
}
