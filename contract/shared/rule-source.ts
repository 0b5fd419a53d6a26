/** Where a rule of law was read: `url` is the copy, and `read` the ISO date of the reading. */
export type RuleSource = { name: string; url: string; read: string }

/** Whether a date (`2026-11-27`) lies more than a year before `now`: what was read then may have changed. */
export function isOlderThanYear(date: string, now: Date): boolean {
  const limit = new Date(date)
  limit.setUTCFullYear(limit.getUTCFullYear() + 1)
  return now > limit
}
