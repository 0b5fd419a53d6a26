import { type ServerEventModule, serverEventModules } from '@keyturn/contract/notifications/rules.ts'
import { z } from 'zod'
import { newId } from '../../../platform/database/new-id.ts'

/** The channel of LISTEN and NOTIFY; signals reach only processes that use the same database. */
export const signalChannel = 'keyturn'

/** Tells all processes of one database which users' pages have to reload which data. */
export type ChangeSignal = {
  users: readonly string[]
  wholesalers: boolean
  rooms: readonly ServerEventModule[]
  /** Identifies the signal; a page sends the last id it received when it reconnects. */
  id: string
}

/** Sent by a trigger of the database whenever a session ends (migration 0013). */
type SessionEnd = { endedSession: string }

/** PostgreSQL limits a signal to fewer than 8,000 bytes; an id takes 27 of them. */
export const usersPerSignal = 200

/** `deals/viewer-presence.ts` sends it to the other party when a tab of `by` opens or closes a deal. */
export type ViewingSignal = {
  deal: string
  by: string
  to: string
  tab: string
  session: string
  isLooking: boolean
}

type Hiding = { hides: string }
export const encodeHidingSignal = (person: string): string =>
  JSON.stringify({ hides: person } satisfies Hiding)

/** A process lost signals that it should have sent: every page reloads its data. */
type Missed = { missed: true }
export const encodeResyncSignal = (): string => JSON.stringify({ missed: true } satisfies Missed)

type Signal = ChangeSignal | SessionEnd | { look: ViewingSignal } | Hiding | Missed

/** Omits the id, which is added on sending, so that equal waiting signals become one. */
export const encodeChangeSignal = (change: Omit<ChangeSignal, 'id'>): string => JSON.stringify(change)
export const addSignalId = (signal: string): string => `${signal.slice(0, -1)},"id":"${newId()}"}`

/** Returns null for foreign payloads: every client of the database can notify a channel. */
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
        rooms: z.array(z.enum(serverEventModules)),
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
