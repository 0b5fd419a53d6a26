import { randomBytes } from 'node:crypto'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { signedCall } from '@keyturn/contract/shared/webhooks.ts'
import { Webhook } from 'standardwebhooks'
import type { Browser, Sent, Wire } from '../browser.ts'
import { keepSecret } from '../secrets.ts'

/** A dealer's system as its developers would write it, which signs its requests. */
export type Partner = {
  /** `body` is sent byte for byte; `signedBody` is signed in its place. */
  send<C extends Endpoint>(call: C, input: Wire, how?: How): Promise<Sent<C>>
}
type How = { id?: string; at?: Date; signedBody?: string; headers?: Record<string, string> }

export function aKey(): string {
  const key = `whsec_${randomBytes(32).toString('base64')}`
  keepSecret(key)
  return key
}

export const aPartner = (browser: Browser, key: string): Partner => ({
  send: (call, input, how = {}) =>
    browser.send(call, input, { ...signatureOf(call, input, key, how), ...how.headers }),
})

/** Returns the headers of a request signed with a key. */
export function signatureOf(call: Endpoint, { params = {}, body }: Wire, key: string, how: How = {}) {
  const { id = `msg_${randomBytes(12).toString('hex')}`, at = new Date() } = how
  const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) => params[name] ?? '')
  const content = how.signedBody ?? (body === undefined ? '' : JSON.stringify(body))
  // Keyturn signs only the body of its deliveries, including those to its own desk.
  const signed = call === deliverToDesk ? content : signedCall(call.method, path, content)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, signed),
  }
}
