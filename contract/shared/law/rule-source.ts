import { formatPlainDate, isOlderThanYear } from '../dates.ts'

/**
 * Where a rule of law was read. `url`: the copy; `read`: the ISO date of the reading, null for a rule
 * that is quoted without it; `edition`: the year of a copy that is older than the reading.
 */
export type RuleSource = { name: string; url: string; read: string | null; edition?: number }

/** The ISO date up to which the copy is known to be right; null if it was not read. */
export const sourceDate = ({ read, edition }: RuleSource): string | null =>
  edition === undefined ? read : `${edition}-12-31`

/** Whether the law may have changed since: the copy is more than a year older than `now`, or unread. */
function isOldSource(source: RuleSource, now: Date): boolean {
  const date = sourceDate(source)
  return date === null || isOlderThanYear(date, now)
}

/** `read 11/27/2026`, with the edition and a mark for a copy that is more than a year old. */
export function describeReading(source: RuleSource, now: Date): string {
  const { read, edition } = source
  const words = read === null ? 'quoted without reading it again' : `read ${formatPlainDate(read)}`
  const copy = edition === undefined ? words : `${words} in a copy of ${edition}`
  return read !== null && isOldSource(source, now) ? `${copy}, which is more than a year old` : copy
}
