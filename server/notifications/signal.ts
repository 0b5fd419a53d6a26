import { type LiveRoom, liveRooms } from '@keyturn/contract/notifications/rules.ts'
import { z } from 'zod'

/** The channel of LISTEN and NOTIFY; signals reach the processes of one database only. */
export const channel = 'keyturn'

/** What travels between the processes of one database: whose pages should ask again, and what. */
export type LiveSignal = { users: readonly string[]; wholesalers: boolean; rooms: readonly LiveRoom[] }

/** Said by the database itself with every end of a session (migration 0013). */
export type SessionEnd = { endedSession: string }

export const encodeSignal = (signal: LiveSignal): string => JSON.stringify(signal)

/** Null for what is not ours: anyone on the database may speak on a channel. */
export function decodeSignal(text: string | undefined): LiveSignal | SessionEnd | null {
  const parsed = wire.safeParse(text)
  return parsed.success ? parsed.data : null
}

const wire = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('not JSON')
      return z.NEVER
    }
  })
  .pipe(
    z.union([
      z.object({ users: z.array(z.string()), wholesalers: z.boolean(), rooms: z.array(z.enum(liveRooms)) }),
      z.object({ endedSession: z.string() }),
    ]),
  )
