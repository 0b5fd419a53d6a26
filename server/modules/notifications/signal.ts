import { type ServerEventRoom, serverEventRooms } from '@keyturn/contract/notifications/rules.ts'
import { z } from 'zod'
import { newId } from '../../platform/database/new-id.ts'

/** The channel of LISTEN and NOTIFY; signals reach the processes of one database only. */
export const channel = 'keyturn'

/** What travels between the processes of one database: whose pages should ask again, and what. */
export type ChangeSignal = {
  users: readonly string[]
  wholesalers: boolean
  rooms: readonly ServerEventRoom[]
  /** Its own name, by which a page says what it heard last. */
  id: string
}

/** Said by the database itself with every end of a session (migration 0013). */
type SessionEnd = { endedSession: string }

/** PostgreSQL takes less than 8,000 bytes in one signal; an id takes 27 of them. */
export const usersPerSignal = 200

/** A tab of `by` shows a deal to them, or no longer does; said by `deals/presence.ts` for the other one of the deal. */
export type Look = { deal: string; by: string; to: string; tab: string; session: string; isLooking: boolean }

type Hiding = { hides: string }
export const encodeHiding = (person: string): string => JSON.stringify({ hides: person } satisfies Hiding)

/** Somebody could not say what they had to: every page asks again. */
type Missed = { missed: true }
export const encodeMissed = (): string => JSON.stringify({ missed: true } satisfies Missed)

type Signal = ChangeSignal | SessionEnd | { look: Look } | Hiding | Missed

/** Without its name, which it gets as it leaves: what says the same until then is one signal. */
export const encodeChange = (change: Omit<ChangeSignal, 'id'>): string => JSON.stringify(change)
export const named = (signal: string): string => `${signal.slice(0, -1)},"id":"${newId()}"}`

/** Null for what is not ours: anyone on the database may speak on a channel. */
export function decodeSignal(text: string | undefined): Signal | null {
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
      z.object({
        users: z.array(z.string()),
        wholesalers: z.boolean(),
        rooms: z.array(z.enum(serverEventRooms)),
        id: z.string().min(1).max(64),
      }),
      z.object({ endedSession: z.string() }),
      z.object({
        look: z.object({
          deal: z.string(),
          by: z.string(),
          to: z.string(),
          tab: z.string(),
          session: z.string(),
          isLooking: z.boolean(),
        }),
      }),
      z.object({ hides: z.string() }),
      z.object({ missed: z.literal(true) }),
    ]),
  )
