import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readCharacters } from './font-files.ts'

export type Weight = 400 | 700
type Slice = { ranges: readonly (readonly [first: number, last: number])[]; file: (weight: Weight) => string }
/** One typeface, in files for ranges of letters. */
export type Typeface = () => readonly Slice[]

const { resolve } = createRequire(import.meta.url)

/** The package lists in `unicode.json` which letters each file may have. */
const readSlices = (name: string): [slice: string, Slice['ranges']][] =>
  Object.entries<string>(JSON.parse(readFileSync(resolve(`${name}/unicode.json`), 'utf8'))).map(
    ([slice, ranges]) => [
      slice.replace(/[[\]]/g, ''),
      ranges.split(',').map((range) => {
        const [first = '', last = first] = range.slice('U+'.length).split('-')
        return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
      }),
    ],
  )

/** Slices for letters that our own typeface or Noto Sans draw as well. */
const isForeign = (slice: string) => /^(?:latin|cyrillic|greek|vietnamese|math|symbols)/.test(slice)

function readOnce(read: Typeface): Typeface {
  let known: readonly Slice[] | undefined
  return () => {
    known ??= read()
    return known
  }
}

const sliced = (name: string, isUsed: (slice: string) => boolean): Typeface =>
  readOnce(() =>
    readSlices(`@fontsource/${name}`)
      .filter(([slice]) => isUsed(slice))
      .map(([slice, ranges]) => {
        const pathOf = (weight: Weight) =>
          resolve(`@fontsource/${name}/files/${name}-${slice}-${weight}-normal.woff`)
        // A few typefaces have no bold.
        const hasBold = existsSync(pathOf(400).replace('-400-', '-700-'))
        return { ranges, file: (weight) => pathOf(hasBold ? weight : 400) }
      }),
  )

const script = (name: string) => sliced(`noto-sans-${name}`, (slice) => !isForeign(slice))

/** Fonts of all weights in one file, a tenth of the size of a package with a file for each. */
const variable = (name: string): Typeface =>
  readOnce(() =>
    readSlices(`@fontsource-variable/${name}`)
      .filter(([slice]) => !isForeign(slice))
      .map(([slice, ranges]) => {
        const path = resolve(`@fontsource-variable/${name}/files/${name}-${slice}-wght-normal.woff2`)
        return { ranges, file: (weight) => `${path}#${weight}` }
      }),
  )

/** The whole typeface in one file, so that any mark can stand on any letter. */
const notoSans: Typeface = readOnce(() => [
  {
    ranges: [[0, 0x10ffff]],
    file: (weight) => {
      const style = weight === 400 ? '400Regular' : '700Bold'
      return resolve(`@expo-google-fonts/noto-sans/${style}/NotoSans_${style}.ttf`)
    },
  },
])

const sourceSans = sliced('source-sans-3', () => true)
const [japanese, korean, simplified, traditional] = ['jp', 'kr', 'sc', 'tc'].map((name) =>
  variable(`noto-sans-${name}`),
) as [Typeface, Typeface, Typeface, Typeface]

const scripts = [
  'arabic',
  'hebrew',
  'armenian',
  'georgian',
  'ethiopic',
  'devanagari',
  'bengali',
  'gurmukhi',
  'gujarati',
  'oriya',
  'tamil',
  'telugu',
  'kannada',
  'malayalam',
  'sinhala',
  'thai',
  'lao',
  'khmer',
  'myanmar',
  'javanese',
  'thaana',
  'syriac',
  'tifinagh',
  'cherokee',
  'canadian-aboriginal',
].map(script)

const others = [
  sliced('noto-serif-tibetan', (slice) => slice === 'tibetan'),
  sliced('noto-sans-symbols', (slice) => slice === 'symbols'),
  sliced('noto-emoji', () => true),
]

/**
 * The typefaces for a text, the preferred one first. Chinese, Japanese and Korean share characters
 * that each draws in its own way.
 */
export function typefacesFor(text: string): Typeface[] {
  const asian = [simplified, traditional, japanese, korean]
  const preferred = asianTypefaceFor(text)
  return [sourceSans, notoSans, ...scripts, preferred, ...asian.filter((one) => one !== preferred), ...others]
}

function asianTypefaceFor(text: string): Typeface {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return japanese
  if (/\p{Script=Hangul}/u.test(text)) return korean
  const letters = text.match(/\p{Script=Han}/gu) ?? []
  if (letters.length === 0) return simplified
  charsets ??= { gb2312: decodePairs('gb2312', 0xb0, 0xf7), big5: decodePairs('big5', 0xa4, 0xf9) }
  const { gb2312, big5 } = charsets
  if (letters.every((letter) => gb2312.has(letter))) return simplified
  return letters.every((letter) => big5.has(letter)) ? traditional : japanese
}

/** The characters in use in China and in Taiwan, from their first national character sets. */
let charsets: { gb2312: ReadonlySet<string>; big5: ReadonlySet<string> } | undefined
function decodePairs(charset: string, first: number, last: number): ReadonlySet<string> {
  const bytes: number[] = []
  for (let lead = first; lead <= last; lead++)
    for (let trail = charset === 'big5' ? 0x40 : 0xa1; trail <= 0xfe; trail++)
      if (trail < 0x7f || trail > 0xa0) bytes.push(lead, trail)
  return new Set(new TextDecoder(charset).decode(Uint8Array.from(bytes)))
}

/** Joiners and selectors change the shape of other letters and need none of their own. */
const isShaped = (letter: string) => !/\p{Default_Ignorable_Code_Point}/u.test(letter)

/** Returns the file that has all letters of a cluster, so that its marks stay in place. */
export function findFile(typeface: Typeface, cluster: string, weight: Weight): string | undefined {
  const letters = [...cluster].filter(isShaped).map((letter) => letter.codePointAt(0) ?? 0)
  const isInRanges = ({ ranges }: Slice) =>
    letters.every((letter) => ranges.some(([first, last]) => first <= letter && letter <= last))
  const hasLetters = ({ file }: Slice) => {
    const known = readCharacters(file(weight))
    return letters.every((letter) => known.has(letter))
  }
  return typeface()
    .find((slice) => isInRanges(slice) && hasLetters(slice))
    ?.file(weight)
}
