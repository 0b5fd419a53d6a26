/** The sentence of 429: how long is what a person needs to know. */
export const tooManyTries = (seconds: number): string =>
  `Too many tries. Please try again in ${seconds < 90 ? plural(Math.max(1, Math.ceil(seconds)), 'second') : plural(Math.ceil(seconds / 60), 'minute')}.`

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
