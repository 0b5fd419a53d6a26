/** Set by `npm run test:full`. */
const isFull = process.env.TEST_FULL === '1'

/** How often a race is run: what is lost once in a hundred rounds shows in the full run, what is always lost in both. */
export const rounds = isFull ? 200 : 20
