import { shownLine, shownMessage } from '@keyturn/contract/shared/words.ts'

/** A sentence of ours with a person's own words in its gaps. */
export type Sentence = { readonly ours: readonly string[]; readonly theirs: readonly string[] }

/** The only way to make one, so that nobody's words get into a letter without being known as theirs. */
export const say = (ours: TemplateStringsArray, ...theirs: string[]): Sentence => ({ ours, theirs })

/** A longer name could push our own words out of sight and pass for them. */
const mostInSubject = 40

/** In one line for a header: names and cars are cut. */
export const subjectOf = (sentence: Sentence): string =>
  joined(sentence, (words) => cut(shownLine(words), mostInSubject))

export const headlineOf = (sentence: Sentence): string =>
  joined(sentence, (words) => unlinked(cut(shownLine(words), mostInSubject)))

/** As it stands in a letter: no mail program finds a link in somebody's words, and they stay in their line. */
export const wordingOf = (sentence: Sentence): string =>
  joined(sentence, (words) => unlinked(shownMessage(words).replace(/\s+/gu, ' ')))

const joined = ({ ours, theirs }: Sentence, show: (words: string) => string): string =>
  ours.map((part, at) => part + (at < theirs.length ? show(theirs[at] ?? '') : '')).join('')

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** At most so many characters as a person counts them, the ellipsis among them. */
export function cut(text: string, most: number): string {
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment)
  if (all.length <= most) return text
  return `${all
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}

/**
 * Word joiners around what makes a mail program see an address: neither seen nor a place to break the line, but part of
 * no address. Between digits they would only disturb prices, times and dates.
 */
const unlinked = (words: string): string =>
  words.replace(/(?<=\S)[.。．｡:@/](?=\S)/gu, (sign, at: number) =>
    /\d.\d/u.test(words.slice(at - 1, at + 2)) ? sign : `\u2060${sign}\u2060`,
  )
