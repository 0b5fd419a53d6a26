import { createRequire } from 'node:module'

/** The subsets in the packages of both typefaces, if both have the letters. */
const alphabets = [
  {
    name: 'latin',
    letters:
      /[ -~\u00a0-\u00ff\u0131\u0152\u0153\u02c6\u02da\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u2044\u20ac\u2122]/u,
    isInScript: true,
  },
  {
    name: 'latin-ext',
    letters: /[\u0100-\u0130\u0132-\u0151\u0154-\u017e\u0192\u0218-\u021b\u1e80-\u1e85\u1ef2\u1ef3\u2020]/u,
    isInScript: true,
  },
  { name: 'cyrillic', letters: /[\u0400-\u045f\u0490\u0491\u2116]/u, isInScript: true },
  { name: 'greek', letters: /[\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce]/u, isInScript: false },
  { name: 'vietnamese', letters: /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/u, isInScript: false },
] as const
type Alphabet = (typeof alphabets)[number]['name']

/** Returns undefined for a letter that only other typefaces have. */
export const findAlphabet = (letter: string) => alphabets.find(({ letters }) => letters.test(letter))

const { resolve } = createRequire(import.meta.url)
const paths = new Map<string, string>()
/** Cached, because every letter looks up its font. */
function pathOf(file: string): string {
  const known = paths.get(file) ?? resolve(`${file}-normal.woff`)
  paths.set(file, known)
  return known
}

/** Returns the font file of the pages' typeface; `scriptFont` that of signatures. */
export const sansFont = (alphabet: Alphabet, face: 'plain' | 'strong') =>
  pathOf(`@fontsource/source-sans-3/files/source-sans-3-${alphabet}-${face === 'strong' ? 700 : 400}`)
export const scriptFont = (alphabet: Alphabet) => pathOf(`@fontsource/caveat/files/caveat-${alphabet}-500`)
