import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime } from '../shared/fields.ts'
import { pushTexts as texts } from './push-texts.ts'

/** A base64url string that encodes `count` bytes. */
const bytes = (count: number) =>
  z
    .string(texts.badSubscription)
    .regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}$`), texts.badSubscription)

/** The browser's push subscription; never returned, because its address allows sending. */
const subscription = z.object({
  endpoint: z.url({ protocol: /^https?$/, error: texts.badSubscription }).max(1000, texts.badSubscription),
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }, texts.badSubscription),
})
export type Subscription = z.output<typeof subscription>

const devices = z.object({
  /** Public key for subscribing: only we can then send to the browser. */
  key: z.string(),
  devices: z.array(
    z.object({
      _id: id,
      /** Such as "Chrome on Android". */
      name: z.string(),
      /** SHA-256 of its address in hexadecimal, by which a browser finds its own device. */
      digest: z.string(),
      addedAt: isoTime,
    }),
  ),
})
export type PushDevicesResponse = z.output<typeof devices>
export type PushDevice = PushDevicesResponse['devices'][number]

export const readDevices = defineEndpoint('GET /notifications/push', {
  callers: ['verified'],
  response: devices,
})

/** Enables push in this browser, which remains one device across subscriptions. */
export const addDevice = defineEndpoint('PUT /notifications/push', {
  callers: ['verified'],
  body: subscription,
  response: devices,
})

/**
 * Updates this browser's address or session; NotFound when the device has been switched off in the
 * meantime.
 */
export const renewDevice = defineEndpoint('PATCH /notifications/push', {
  callers: ['verified'],
  body: subscription.extend({ before: z.string(texts.badSubscription).max(1000, texts.badSubscription) }),
  response: devices,
  errors: ['NotFound'],
})

export const removeDevice = defineEndpoint('DELETE /notifications/push/:id', {
  callers: ['verified'],
  params: z.object({ id }),
  response: devices,
  errors: ['NotFound'],
})

/** Beyond this number, the device that has been unused the longest is removed. */
export const maxDevices = 10

/** Payload of a push: the notification's sentence and its target. */
export type PushMessage = {
  id: string
  body: string
  path: string
  /** A newer push about the same deal or trade replaces an older one. */
  tag: string
  at: string
  /** True if a notification with the same id exists in the app. */
  rings: boolean
}
