import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'

// Figures for the administrator (R-deals-97). All are about the window: the current week and those
// before it, each from Monday, 00:00 UTC.

export const insightWeeks = 12

const count = z.int().min(0)

/** How far a car has come, by the buyer who came furthest. A step is kept when it is undone later. */
export const funnelSteps = ['listed', 'started', 'requested', 'confirmed', 'signed', 'completed'] as const
export type FunnelStep = (typeof funnelSteps)[number]

/** The first number of full days in each group of days; the last group has no end. */
export const dayGroups = [0, 1, 3, 7, 14, 30] as const

export const dealOutcomes = ['completed', 'atDealer', 'canceled'] as const
export type DealOutcome = (typeof dealOutcomes)[number]

/** `inTime`: within the promised three hours (R-trades-7). */
export const firstAnswers = ['inTime', 'late', 'none'] as const
export type FirstAnswer = (typeof firstAnswers)[number]

/** One row per week, oldest first; `week` is its Monday. */
const byWeek = <Name extends string>(names: readonly Name[]) =>
  z.array(z.object({ week: z.iso.date(), counts: z.record(z.enum(names), count) }))

const insights = z.object({
  /**
   * Cars listed in the window, also those that have been taken down. Of these, `started`: a buyer has
   * started the purchase from the link; `requested`, `confirmed`, `signed` by both, `completed`.
   */
  funnel: z.record(z.enum(funnelSteps), count),
  /** Deals that both signed in the window: days from the listing of the car to the second signature. */
  daysToSign: z.object({
    median: z.number().nullable(),
    /** One number per group of `dayGroups`. */
    groups: z.array(count).length(dayGroups.length),
  }),
  /**
   * Trades by the week in which they were submitted, and by the time until the first offer, even one that was
   * withdrawn. `none`: three hours passed without an offer. Trades without an offer that are newer, or that
   * the owner deleted before, are not counted.
   */
  trades: byWeek(firstAnswers),
  /** Deals by the week of the second signature, and by what has become of them. */
  deals: byWeek(dealOutcomes),
})
export type Insights = z.output<typeof insights>

export const readInsights = defineEndpoint('GET /admin/insights', {
  callers: ['administrator'],
  allowsStandby: true,
  adminAct: null,
  response: insights,
})
