import { fieldTexts, line } from '../shared/fields.ts'

// A name whose letters our papers cannot print is signed as "name (Latin spelling)".

/** The spelling that a signer types, for which each typeface has letters. */
export const latinSpelling = line(100, fieldTexts.latinSpelling, (text) =>
  /^(?=.*\p{Script=Latin})[\p{Script=Latin}\p{M}\d .,'’ʻʼ-]+$/u.test(text),
)

export const addLatinSpelling = (words: string, spelling: string): string => `${words} (${spelling})`

/** Whether the words end with a Latin spelling in parentheses. */
export const hasLatinSpelling = (words: string): boolean =>
  latinSpelling.safeParse(/^.+ \(([^()]+)\)$/u.exec(words)?.[1]).success
