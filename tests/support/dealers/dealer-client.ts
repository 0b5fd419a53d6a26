import { randomBytes } from 'node:crypto'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { webhookSigningInput } from '@keyturn/contract/shared/webhooks.ts'
import { Webhook } from 'standardwebhooks'
import type { Browser, SentRequest, WireInput } from '../browser.ts'
import { recordSecret } from '../secrets.ts'

/** A dealer's system, which signs its requests. */
export type DealerClient = {
  /** `signedBody` is signed in place of the body that is sent. */
  send<C extends Endpoint>(call: C, input: WireInput, options?: SignOptions): Promise<SentRequest<C>>
}
type SignOptions = { id?: string; at?: Date; signedBody?: string; headers?: Record<string, string> }

export function createDealerKey(): string {
  const key = `whsec_${randomBytes(32).toString('base64')}`
  recordSecret(key)
  return key
}

export const createDealerClient = (browser: Browser, key: string): DealerClient => ({
  send: (call, input, options = {}) =>
    browser.send(call, input, { ...signDealerRequest(call, input, key, options), ...options.headers }),
})

/** Returns the headers of a request signed with a key. */
export function signDealerRequest(
  call: Endpoint,
  { params = {}, body }: WireInput,
  key: string,
  options: SignOptions = {},
) {
  const { id = `msg_${randomBytes(12).toString('hex')}`, at = new Date() } = options
  const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) => params[name] ?? '')
  const content = options.signedBody ?? (body === undefined ? '' : JSON.stringify(body))
  // Keyturn signs only the body of its deliveries, including those to the built-in desk.
  const signed = call === deliverToDesk ? content : webhookSigningInput(call.method, path, content)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, signed),
  }
}
