import { formatPlainDate, isOlderThanYear } from '../dates.ts'

/**
 * Where a rule of law was read. `url`: the copy; `read`: the ISO date of the reading, null for a rule
 * that is quoted without it; `edition`: the year of a copy that is older than the reading.
 */
export type RuleSource = { name: string; url: string; read: string | null; edition?: number }

/** The ISO date up to which the copy is known to be right; null if neither is known. */
export const sourceDate = ({ read, edition }: RuleSource): string | null =>
  edition === undefined ? read : `${edition}-12-31`

/** `read 11/27/2026`, with the edition and a mark for a copy that is more than a year old. */
export function describeReading(source: RuleSource, now: Date): string {
  const { read, edition } = source
  const date = sourceDate(source)
  const copy = edition === undefined ? '' : ` in a copy of ${edition}`
  const words = read === null ? `quoted from memory${copy}` : `read ${formatPlainDate(read)}${copy}`
  return date !== null && isOlderThanYear(date, now) ? `${words}, which is more than a year old` : words
}
