import { hourMs } from '../shared/dates.ts'

/** Delays after the beginning of a turn; each reminder is sent once. */
export const remindersAfterMs: readonly number[] = [24 * hourMs, 3 * 24 * hourMs, 7 * 24 * hourMs]

/** Delay before the first check for a reminder; trades are promised an offer within three hours. */
export const firstReminderCheckMs = { deal: 24 * hourMs, trade: 3 * hourMs } as const

/** Time a dealer has to respond to a signed deal before the administrator is notified, once. */
export const dealerResponseTimeMs = 24 * hourMs

/**
 * A hold and an offer send their own emails a day before they end and at the end. Reminders are
 * suppressed this long before the end, so that no two emails of a day repeat each other.
 */
export const noRemindersBeforeEndMs = 36 * hourMs
