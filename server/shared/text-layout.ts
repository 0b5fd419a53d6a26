import bidiFactory from 'bidi-js'
import { findFile, type Typeface, typefacesFor, type Weight } from './noto-typefaces.ts'
import { findAlphabet, sansFont, scriptFont } from './typefaces.ts'

export type Face = 'plain' | 'strong' | 'script'
/** Text in one font file and one direction. */
export type Run = {
  font: string
  text: string
  /** What `text` stands for; differs for a missing glyph and a mirrored bracket. */
  typed: string
  /** From right to left if odd (UAX #9). */
  level: number
  /** Whether fontkit draws it from right to left. */
  isReversed: boolean
}

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const splitGraphemes = (text: string) => [...graphemes.segment(text)]

/** Whether our own typeface has every letter; such a text needs no shaping. */
export const isPlainText = (text: string): boolean => [...text].every(findAlphabet)

/** Returns the first letter, with its marks, that no typeface has. */
export const findUndrawable = (text: string): string | undefined =>
  isPlainText(text)
    ? undefined
    : splitGraphemes(text).find(
        ({ segment }) => !isBlank(segment) && !findFont(segment, typefacesFor(segment), 400),
      )?.segment

function findFont(cluster: string, typefaces: readonly Typeface[], weight: Weight): string | undefined {
  for (const typeface of typefaces) {
    const file = findFile(typeface, toDrawn(cluster), weight)
    if (file) return file
  }
  return undefined
}

const isBlank = (cluster: string) => /^\s+$/u.test(cluster)
/** Isolates separate the direction of a name from that of its surroundings, and are not drawn. */
const isIsolate = (cluster: string) => /^[\u2066-\u2069]$/u.test(cluster)

/**
 * Returns what is drawn for a cluster. The non-breaking hyphen looks like a hyphen, and most fonts
 * lack it. In Thai and Lao, the circle of the vowel AM comes below a tone, which fontkit leaves out.
 */
const toDrawn = (cluster: string): string =>
  cluster
    .replace('\u2011', '-')
    .replace(/([\u0e48-\u0e4b]*)\u0e33/u, '\u0e4d$1\u0e32')
    .replace(/([\u0ec8-\u0ecb]*)\u0eb3/u, '\u0ecd$1\u0eb2')
const missingGlyph = '\ufffd'

/**
 * Splits a text into its grapheme clusters, each with one font, so that no letter is separated from
 * its marks. A word that one typeface has as a whole is not divided among several.
 */
export function chooseFonts(text: string, face: Face): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text)
  const typefaces = typefacesFor(text)
  const weight = face === 'strong' ? 700 : 400
  let at = 0
  return text.split(/(\s+)/u).flatMap((word) => {
    const start = at
    at += word.length
    const clusters = splitGraphemes(word).filter(({ segment }) => !isIsolate(segment))
    const whole = typefaces.find((typeface) =>
      clusters.every(({ segment }) => findFont(segment, [typeface], weight)),
    )
    return clusters.map(({ segment: typed, index }): Run => {
      const level = levels[start + index] ?? 0
      const look = { typed, level, isReversed: false }
      if (isBlank(typed)) return { ...look, text: ' ', font: sansFont('latin', 'plain') }
      const script = face === 'script' && isPlainText(typed) ? findAlphabet(typed) : undefined
      const font = script?.isInScript
        ? scriptFont(script.name)
        : findFont(typed, whole ? [whole] : typefaces, weight)
      if (!font) return { ...look, text: missingGlyph, font: findFont(missingGlyph, typefaces, weight) ?? '' }
      // An odd level is read from right to left, and there brackets are mirrored.
      const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(typed) : null
      return { ...look, text: mirrored ?? toDrawn(typed), font }
    })
  })
}

/** Divides clusters among lines, at spaces or beside characters of Chinese and Japanese. */
export function breakLines(
  clusters: readonly Run[],
  width: number,
  widthOf: (clusters: readonly Run[]) => number,
): Run[][] {
  const lines: Run[][] = [[]]
  let used = 0
  const place = (piece: readonly Run[], length: number) => {
    if (used > 0 && used + widthOf(trimEnd(piece)) > width) {
      lines.push([])
      used = 0
    }
    lines.at(-1)?.push(...piece)
    used += length
  }
  for (const word of splitWords(clusters)) {
    const length = widthOf(word)
    if (length <= width) place(word, length)
    // A word that is longer than a line.
    else for (const cluster of word) place([cluster], widthOf([cluster]))
  }
  return lines.map(trimEnd)
}

function trimEnd(clusters: readonly Run[]): Run[] {
  const last = clusters.findLastIndex(({ typed }) => !isBlank(typed))
  return clusters.slice(0, last + 1)
}

const isIdeograph = ({ typed }: Run) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(typed)
const isMark = ({ typed }: Run) => /^[\p{P}\u30fc]/u.test(typed)

function splitWords(clusters: readonly Run[]): Run[][] {
  const words: Run[][] = []
  let last: Run | undefined
  for (const cluster of clusters) {
    const isBreak =
      !last ||
      (isBlank(last.typed) && !isBlank(cluster.typed)) ||
      (!isMark(cluster) &&
        !isBlank(cluster.typed) &&
        (isIdeograph(last) || (isIdeograph(cluster) && !isMark(last))))
    if (isBreak) words.push([cluster])
    else words.at(-1)?.push(cluster)
    last = cluster
  }
  return words
}

/** Scripts that fontkit draws from right to left. */
const rightToLeft = /[\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}\p{scx=Thaa}]/u

/**
 * Joins the clusters of a line that are drawn together, in the order in which they are typed. Where
 * fontkit's direction is not that of the line, as of a space between Hebrew words, each is drawn on
 * its own.
 */
export function joinRuns(clusters: readonly Run[]): Run[] {
  const runs: Run[] = []
  for (const cluster of clusters) {
    const isReversed = rightToLeft.test(cluster.text)
    const last = runs.at(-1)
    const isJoined =
      last?.font === cluster.font &&
      last.level === cluster.level &&
      last.isReversed === isReversed &&
      isReversed === (cluster.level % 2 === 1)
    if (isJoined) {
      last.text += cluster.text
      last.typed += cluster.typed
    } else runs.push({ ...cluster, isReversed })
  }
  return runs
}

/** Returns the runs of one line from left to right (rule L2 of UAX #9). */
export function orderRuns(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while ((ordered[end]?.level ?? 0) >= level) end++
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end
    }
  return ordered
}
