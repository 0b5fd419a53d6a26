/** For a 429: the person needs to know how long to wait. */
export const tooManyTries = (seconds: number): string =>
  `Too many tries. Please try again in ${seconds < 90 ? plural(Math.max(1, Math.ceil(seconds)), 'second') : plural(Math.ceil(seconds / 60), 'minute')}.`

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
