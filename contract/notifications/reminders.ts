import { hourMs } from '../shared/dates.ts'

/** How long after the beginning of their turn somebody is reminded, each once; then there is silence. */
export const remindersAfterMs: readonly number[] = [24 * hourMs, 3 * 24 * hourMs, 7 * 24 * hourMs]

/** When it is first looked whether somebody's turn lasts: a trade's owner was promised an offer within three hours. */
export const firstLookMs = { deal: 24 * hourMs, trade: 3 * hourMs } as const

/** How long a dealer has to answer a signed deal before the administrator hears of it, once. */
export const dealerSilenceMs = 24 * hourMs

/**
 * A hold and an offer write of their own end a day before it and at it. Within this time before the end nobody is
 * reminded besides, so that no two letters of one day say the same.
 */
export const quietBeforeEndMs = 36 * hourMs
