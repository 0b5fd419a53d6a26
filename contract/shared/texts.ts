/** For a 429: the person needs to know how long to wait. */
export const tooManyAttempts = (seconds: number): string =>
  `Too many tries. Please try again in ${spanOf(seconds)}.`

function spanOf(seconds: number): string {
  if (seconds < 90) return plural(Math.max(1, Math.ceil(seconds)), 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 180 ? plural(minutes, 'minute') : plural(Math.ceil(minutes / 60), 'hour')
}

/** `1 minute`, `2 minutes`. */
export const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** Adds the period that a postal address or an email address at the end of a sentence may lack. */
export const endSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
