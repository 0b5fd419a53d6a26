import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime } from '../shared/fields.ts'
import { pushTexts as texts } from './push-texts.ts'

/** Letters that stand for so many bytes in base64url. */
const bytes = (count: number) =>
  z
    .string(texts.badSubscription)
    .regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}$`), texts.badSubscription)

/** What a browser answers when it subscribes. Whoever knows the address could send there, so it is told to nobody. */
const subscription = z.object({
  endpoint: z.url({ protocol: /^https?$/, error: texts.badSubscription }).max(1000, texts.badSubscription),
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }, texts.badSubscription),
})
export type Subscription = z.output<typeof subscription>

const devices = z.object({
  /** With which a browser subscribes: only we can send there then. */
  key: z.string(),
  devices: z.array(
    z.object({
      _id: id,
      /** Such as "Chrome on Android". */
      name: z.string(),
      /** SHA-256 of its address in hexadecimal, by which a browser finds itself. */
      digest: z.string(),
      addedAt: isoTime,
    }),
  ),
})
export type PushDevices = z.output<typeof devices>
export type PushDevice = PushDevices['devices'][number]

export const readDevices = defineEndpoint('GET /notifications/push', {
  callers: ['verified'],
  response: devices,
})

/** This browser asks to be told. It is one device, whatever it subscribed as before. */
export const addDevice = defineEndpoint('PUT /notifications/push', {
  callers: ['verified'],
  body: subscription,
  response: devices,
})

/** This browser has another address, or another session, than when it asked: NotFound if it was switched off since. */
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

/** More browsers than this nobody looks at: the one that was not heard of for longest gives way. */
export const maxDevices = 10

/** What a device is sent: the bell's sentence, and where it leads. */
export type PushMessage = {
  id: string
  body: string
  path: string
  /** A newer one about the same deal or trade takes the place of an older one. */
  tag: string
  at: string
  /** It stands in the bell under the same id, too. */
  rings: boolean
}
