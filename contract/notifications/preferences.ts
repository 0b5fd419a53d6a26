import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { channels, notificationKinds } from './notification-kinds.ts'

const kind = z.enum(notificationKinds)

/** The caller's preferences by channel, without kinds that do not apply to them. */
const switches = z.object({ switches: z.array(z.object({ kind, mail: z.boolean(), push: z.boolean() })) })
export type Preferences = z.output<typeof switches>

export const readPreferences = defineEndpoint('GET /notifications/switches', {
  callers: ['verified'],
  response: switches,
})

export const setPreference = defineEndpoint('PUT /notifications/switches', {
  callers: ['verified'],
  body: z.object({ kind, channel: z.enum(channels), isOn: z.boolean() }),
  response: switches,
})
