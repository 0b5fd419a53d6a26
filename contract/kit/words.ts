// Which characters of a person's words are seen, and which only pretend (docs/decisions/0021).

/** Controls, format characters, what no font has, and blanks that count as letters or signs. */
const unseen = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}`
/** More marks on one letter than any script sets: they would cover the lines above and below. */
const pile = /(?:\p{M}[\u200c\u200d]*){7,}/gu
/** The scripts in which a zero-width joiner between two letters is part of how a name is written. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu']
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('')
const joined = String.raw`([${joining}][\u200c\u200d])(?=[${joining}])`

const hidden = new RegExp(`${joined}|[${unseen}]`, 'gu')
/** Also joiners anywhere, the selectors of emoji, and the ends of lines. */
const hiddenInMessage = new RegExp(`([\\u200c\\u200d\\ufe0e\\ufe0f\\n\\r\\t])|[${unseen}]`, 'gu')

/** Without what cannot be seen, or turns round or covers what stands beside it. */
const seen = (text: string, pattern = hidden): string =>
  // Marks are counted last: what stood hidden between them is gone then.
  text.replace(pattern, (_, kept = '') => kept).replace(pile, '')

export const hasHidden = (line: string): boolean => seen(line) !== line

/** Letters are counted where they are seen: some fillers are letters to Unicode. */
export const hasLetter = (text: string): boolean => /\p{L}/u.test(seen(text))
export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(seen(text))
export const hasSign = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(seen(text))

/** A line as it may be shown, though it was kept before such characters were refused. */
export const shownLine = (line: string): string => seen(line.replace(/\s+/gu, ' ')).trim()

/** A message as it is kept; one in which nothing can be seen is none. */
export function shownMessage(text: string): string {
  // Some programs end their lines with a separator that nobody sees: without it two words would become one.
  const lines = text.replace(/[\u2028\u2029]/g, '\n')
  const shown = seen(lines, hiddenInMessage).normalize('NFC').trim()
  return hasSign(shown) ? shown : ''
}
