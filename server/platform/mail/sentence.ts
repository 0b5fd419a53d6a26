import { sanitizeLine, sanitizeMessage } from '@keyturn/contract/shared/visible-text.ts'

/** A sentence with user input in its gaps. */
export type Sentence = { readonly ours: readonly string[]; readonly theirs: readonly string[] }

/** The only constructor, so that user input is always marked as such. */
export const sentence = (ours: TemplateStringsArray, ...theirs: string[]): Sentence => ({ ours, theirs })

/** A sentence of our own words. The operator's address in it stays a link, unlike user input. */
export const ownSentence = (text: string): Sentence => ({ ours: [text], theirs: [] })

/** A longer name could push our text out of view and imitate it. */
const maxInSubject = 40

/** Formats one line for a header, with user input truncated. */
export const renderSubject = (sentence: Sentence): string =>
  fillGaps(sentence, (words) => truncate(sanitizeLine(words), maxInSubject))

export const renderHeadline = (sentence: Sentence): string =>
  fillGaps(sentence, (words) => breakLinks(truncate(sanitizeLine(words), maxInSubject)))

/** Formats one line for the body. Email clients do not turn user input into links. */
export const renderSentence = (sentence: Sentence): string =>
  fillGaps(sentence, (words) => breakLinks(sanitizeMessage(words).replace(/\s+/gu, ' ')))

const fillGaps = ({ ours, theirs }: Sentence, show: (words: string) => string): string =>
  ours.map((part, at) => part + (at < theirs.length ? show(theirs[at] ?? '') : '')).join('')

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Truncates to `max` graphemes, including the ellipsis. */
export function truncate(text: string, max: number): string {
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment)
  if (all.length <= max) return text
  return `${all
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`
}

/**
 * Inserts word joiners, which are invisible and do not break lines, so that email clients do not
 * turn web or email addresses in the text into links. Skips prices, times and dates.
 */
const breakLinks = (words: string): string =>
  words.replace(/(?<=\S)[.。．｡:@/](?=\S)/gu, (sign, at: number) =>
    /\d.\d/u.test(words.slice(at - 1, at + 2)) ? sign : `\u2060${sign}\u2060`,
  )
