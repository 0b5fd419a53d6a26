/**
 * Adds this computer's time zone offset on that day. Text that is not a time is returned unchanged.
 */
export function addLocalOffset(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return text
  const minutes = -new Date(text).getTimezoneOffset()
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
  return `${text}:00${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
