/**
 * Returns a date and time field's value, `2026-11-25T15:00`, with this computer's offset on that
 * day; other text unchanged.
 */
export function wallTimeOf(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return text
  const minutes = -new Date(text).getTimezoneOffset()
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
  return `${text}:00${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
