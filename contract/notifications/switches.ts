import { z } from 'zod'
import { call } from '../shared/endpoint.ts'
import { channels, tellingKinds } from './kinds.ts'

const kind = z.enum(tellingKinds)

/** What the one who asks is told, by which way; kinds that cannot happen to them are left out. */
const switches = z.object({ switches: z.array(z.object({ kind, mail: z.boolean(), push: z.boolean() })) })
export type Switches = z.output<typeof switches>

export const readSwitches = call('GET /notifications/switches', { who: ['verified'], answer: switches })

export const setSwitch = call('PUT /notifications/switches', {
  who: ['verified'],
  body: z.object({ kind, channel: z.enum(channels), isOn: z.boolean() }),
  answer: switches,
})
