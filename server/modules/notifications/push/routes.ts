import * as calls from '@keyturn/contract/notifications/push.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { answer, type Door } from '../../../platform/http/register-endpoint.ts'
import { addDevice, readDevices, removeDevice } from './devices.ts'

export function registerPush(door: Door, deps: Pick<Deps, 'db' | 'config'>): void {
  answer(door, calls.readDevices, ({ actor }) => readDevices(deps, actor))
  answer(door, calls.addDevice, ({ actor, body, request }) =>
    addDevice(deps, actor, { subscription: body, userAgent: userAgentOf(request) }),
  )
  answer(door, calls.renewDevice, ({ actor, body: { before, ...subscription }, request }) =>
    addDevice(deps, actor, { subscription, before, userAgent: userAgentOf(request) }),
  )
  answer(door, calls.removeDevice, ({ actor, params }) => removeDevice(deps, actor, params.id))
}

const userAgentOf = ({ headers }: FastifyRequest): string => headers['user-agent'] ?? ''
