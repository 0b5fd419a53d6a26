import * as calls from '@keyturn/contract/notifications/push.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { type HttpContext, registerEndpoint } from '../../../platform/http/register-endpoint.ts'
import { addDevice, readDevices, removeDevice } from './devices.ts'

export function registerPush(http: HttpContext, deps: Pick<Deps, 'db' | 'config'>): void {
  registerEndpoint(http, calls.readDevices, ({ actor }) => readDevices(deps, actor))
  registerEndpoint(http, calls.addDevice, ({ actor, body, request }) =>
    addDevice(deps, actor, { subscription: body, userAgent: userAgentOf(request) }),
  )
  registerEndpoint(http, calls.renewDevice, ({ actor, body: { before, ...subscription }, request }) =>
    addDevice(deps, actor, { subscription, before, userAgent: userAgentOf(request) }),
  )
  registerEndpoint(http, calls.removeDevice, ({ actor, params }) => removeDevice(deps, actor, params.id))
}

const userAgentOf = ({ headers }: FastifyRequest): string => headers['user-agent'] ?? ''
