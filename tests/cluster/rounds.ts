/** Set by `npm run test:full`. */
const isFull = process.env.TEST_FULL === '1'

/** The number of rounds of a race. A rare failure shows in the full run, a frequent one in both. */
export const raceRounds = isFull ? 200 : 20
