// Defines which typed characters are visible (decision 21).

/**
 * Controls, format characters, characters without a glyph, and blanks that Unicode counts as
 * letters or symbols.
 */
const unseen = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}`
/** More combining marks on one letter than any script uses; they would cover adjacent lines. */
const pile = /(?:\p{M}[\u200c\u200d]*){7,}/gu
/** Scripts in which a zero-width joiner between two letters is part of the spelling of a name. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu']
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('')
const joined = String.raw`([${joining}][\u200c\u200d])(?=[${joining}])`

const hidden = new RegExp(`${joined}|[${unseen}]`, 'gu')
/** A message may also contain joiners anywhere, emoji variation selectors, and line ends. */
const hiddenInMessage = new RegExp(`([\\u200c\\u200d\\ufe0e\\ufe0f\\n\\r\\t])|[${unseen}]`, 'gu')

/** Removes characters that are invisible, or that reverse or cover their surroundings. */
const removeHidden = (text: string, pattern = hidden): string =>
  // Marks are counted last, once the hidden characters between them are gone.
  text.replace(pattern, (_, kept = '') => kept).replace(pile, '')

export const hasHiddenCharacters = (line: string): boolean => removeHidden(line) !== line

/** Only visible letters count: Unicode classifies some blank fillers as letters. */
export const hasLetter = (text: string): boolean => /\p{L}/u.test(removeHidden(text))
export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(removeHidden(text))
export const hasVisibleCharacter = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(removeHidden(text))

/** Returns a line that is safe to show, even if stored before such characters were rejected. */
export const sanitizeLine = (line: string): string => removeHidden(line.replace(/\s+/gu, ' ')).trim()

/** Returns a message as it is stored; empty if nothing in it is visible. */
export function sanitizeMessage(text: string): string {
  // Some programs end lines with an invisible separator; dropping it would join two words.
  const lines = text.replace(/[\u2028\u2029]/g, '\n')
  const shown = removeHidden(lines, hiddenInMessage).normalize('NFC').trim()
  return hasVisibleCharacter(shown) ? shown : ''
}
