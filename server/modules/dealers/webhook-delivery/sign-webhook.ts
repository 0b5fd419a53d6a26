import { webhookHeaders } from '@keyturn/contract/shared/webhooks.ts'
import { Webhook } from 'standardwebhooks'

/** Has the form of the examples at standardwebhooks.com and never changes for a delivery. */
export const webhookMessageId = (deliveryId: string) => `msg_${deliveryId}`

/** Signs with each key, so that the receiver can switch to the new one at any time. */
export const signWebhook = (
  keys: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Keyturn',
  [webhookHeaders.id]: id,
  [webhookHeaders.timestamp]: String(Math.floor(at.getTime() / 1000)),
  [webhookHeaders.signature]: keys.map((key) => new Webhook(key).sign(id, at, body)).join(' '),
})
