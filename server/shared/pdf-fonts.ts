import type { Font } from 'fontkit'
import { openFont } from './font-files.ts'
import {
  breakLines,
  chooseFonts,
  type Face,
  isPlainText,
  joinRuns,
  orderRuns,
  type Run,
} from './text-layout.ts'
import { findAlphabet, sansFont, scriptFont } from './typefaces.ts'

export type TextLook = {
  face: Face
  size: number
  color?: string
  /** Space below, in points. */
  gap?: number
  left?: number
  width?: number
}

/**
 * Draws a text below the previous content, in the typeface of the pages or of signatures, and other
 * scripts in Noto. A letter that the signature font lacks is drawn upright.
 */
export function drawText(doc: PDFKit.PDFDocument, text: string, look: TextLook): void {
  doc.fillColor(look.color ?? '#000000')
  if (isPlainText(text)) drawPlainText(doc, text, look)
  else drawScripts(doc, text, look)
  doc.x = doc.page.margins.left
  doc.y += look.gap ?? 0
}

/** Estimates the height of a text in points, of a plain one from the font of its first letters. */
export function textHeight(doc: PDFKit.PDFDocument, text: string, look: TextLook): number {
  const { gap = 0 } = look
  if (!isPlainText(text)) {
    const { lines, lineHeight } = layOut(doc, text, look)
    return lines.length * lineHeight + gap
  }
  const [first] = splitByAlphabet(text, look.face)
  const { width } = placeOf(doc, look)
  return first ? setFont(doc, first.font).fontSize(look.size).heightOfString(text, { width }) + gap : gap
}

function placeOf(doc: PDFKit.PDFDocument, look: TextLook) {
  const { left = doc.page.margins.left } = look
  return { left, width: look.width ?? doc.page.width - doc.page.margins.right - left }
}

// Aligns fonts of different heights.
const baseline = 'alphabetic'
const riseOf = ({ size }: TextLook) => size * 0.8

/** Each alphabet has its own font file. */
function drawPlainText(doc: PDFKit.PDFDocument, text: string, look: TextLook): void {
  const { left, width } = placeOf(doc, look)
  const rise = riseOf(look)
  const pieces = splitByAlphabet(text, look.face)
  for (const [index, piece] of pieces.entries()) {
    const continued = index < pieces.length - 1
    setFont(doc, piece.font).fontSize(look.size)
    if (index === 0) doc.text(piece.text, left, doc.y + rise, { width, continued, baseline })
    else doc.text(piece.text, { continued, baseline })
  }
  doc.y -= rise
}

export const setPlainFont = (doc: PDFKit.PDFDocument): PDFKit.PDFDocument =>
  setFont(doc, sansFont('latin', 'plain'))

const opened = new WeakMap<PDFKit.PDFDocument, Map<string, Font>>()

function setFont(doc: PDFKit.PDFDocument, file: string, open = openFont): PDFKit.PDFDocument {
  return doc.registerFont(file, fontIn(doc, file, open) as unknown as Buffer).font(file)
}

/** PDFKit accepts an opened font, which its types do not say. */
function fontIn(doc: PDFKit.PDFDocument, name: string, open: (name: string) => Font): Font {
  const fonts = opened.get(doc) ?? new Map<string, Font>()
  opened.set(doc, fonts)
  const font = fonts.get(name) ?? open(name)
  fonts.set(name, font)
  return font
}

function splitByAlphabet(text: string, face: Face): Pick<Run, 'font' | 'text'>[] {
  const upright = face === 'script' ? 'plain' : face
  const pieces: Pick<Run, 'font' | 'text'>[] = []
  for (const letter of text) {
    const alphabet = findAlphabet(letter)
    if (!alphabet) continue
    const isScript = face === 'script' && alphabet.isInScript
    const font = isScript ? scriptFont(alphabet.name) : sansFont(alphabet.name, upright)
    const last = pieces.at(-1)
    if (last?.font === font) last.text += letter
    else pieces.push({ font, text: letter })
  }
  return pieces
}

function drawScripts(doc: PDFKit.PDFDocument, text: string, look: TextLook): void {
  const { left } = placeOf(doc, look)
  const { lines, lineHeight } = layOut(doc, text, look)
  const top = doc.y
  for (const [index, line] of lines.entries()) {
    const runs = joinRuns(line)
    const baselineY = top + index * lineHeight + riseOf(look)
    let x = left
    const starts = new Map<Run, number>()
    for (const run of orderRuns(runs)) {
      starts.set(run, x)
      x += widthOf(doc, run)
    }
    // In the order of reading, for screen readers.
    for (const run of runs) drawRun(doc, run, starts.get(run) ?? left, baselineY)
  }
  doc.y = top + lines.length * lineHeight
}

/** Some scripts are taller than ours. */
function layOut(doc: PDFKit.PDFDocument, text: string, look: TextLook) {
  const { width } = placeOf(doc, look)
  const usualHeight = setPlainFont(doc).fontSize(look.size).currentLineHeight(true)
  const lines = text
    .split('\n')
    .flatMap((paragraph) =>
      breakLines(chooseFonts(paragraph, look.face), width, (clusters) =>
        joinRuns(clusters).reduce((sum, run) => sum + widthOf(doc, run), 0),
      ),
    )
  const fonts = new Set(lines.flat().map(({ font }) => font))
  const heights = [...fonts].map((font) => setFont(doc, font).currentLineHeight(true))
  return { lines, lineHeight: Math.max(usualHeight, ...heights) }
}

const widthOf = (doc: PDFKit.PDFDocument, { font, text }: Run): number =>
  setFont(doc, font).widthOfString(text)

/**
 * Draws glyphs that readers of the file turn into the typed letters, in their order. Where the
 * glyphs of a script are not its letters, they stand for nothing, and the letters are added without
 * being painted. `ActualText` would be the way of the standard, but common readers ignore it or
 * reverse it in scripts that are written from right to left.
 */
function drawRun(doc: PDFKit.PDFDocument, run: Run, x: number, y: number): void {
  const options = { lineBreak: false, baseline } as const
  if (readsAsTyped(fontIn(doc, run.font, openFont), run)) {
    setFont(doc, run.font).text(run.text, x, y, options)
    return
  }
  const width = widthOf(doc, run)
  const shapes = `${run.font} shapes`
  setFont(doc, shapes, () => withoutLetters(fontIn(doc, run.font, openFont))).text(run.text, x, y, options)
  const letters = run.level % 2 === 1 ? [...run.typed].reverse().join('') : run.typed
  setFont(doc, 'letters', openLetters)
  const horizontalScaling = (Math.max(width, 1) / doc.widthOfString(letters)) * 100
  doc.save().addContent('3 Tr')
  doc.text(letters, x, y, { ...options, horizontalScaling } as PDFKit.Mixins.TextOptions)
  doc.restore()
}

function readsAsTyped(font: Font, { text, typed, level }: Run): boolean {
  const { glyphs, positions } = font.layout(text)
  const letters = glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))
  const read = level % 2 === 1 ? letters.reverse() : letters
  return read.join('') === typed && positions.every(({ xOffset, yOffset }) => !xOffset && !yOffset)
}

/** Returns the same font, whose glyphs are no letters to readers of the file. */
const withoutLetters = (font: Font): Font =>
  Object.create(font, {
    postscriptName: { value: `${font.postscriptName}-Shapes` },
    layout: {
      value: (text: string) => {
        const run = font.layout(text)
        const glyphs = run.glyphs.map(({ id, advanceWidth }) => ({ id, advanceWidth, codePoints: [] }))
        return Object.assign(run, { glyphs })
      },
    },
  })

/** A font whose glyphs stand for any letters, for text that is not painted. */
function openLetters(): Font {
  const font = openFont(sansFont('latin', 'plain'))
  const wide = Array.from({ length: font.numGlyphs }, (_, id) => font.getGlyph(id)).filter(
    ({ id, advanceWidth }) => id > 0 && advanceWidth > 0,
  )
  const known = new Map<string, { id: number; advanceWidth: number; codePoints: number[] }>()
  const glyphOf = (letter: string) => {
    const { id, advanceWidth } = wide[known.size % wide.length] ?? font.getGlyph(0)
    const glyph = known.get(letter) ?? { id, advanceWidth, codePoints: [letter.codePointAt(0) ?? 0] }
    known.set(letter, glyph)
    return glyph
  }
  return Object.create(font, {
    postscriptName: { value: `${font.postscriptName}-Letters` },
    layout: {
      value: (text: string) => {
        const glyphs = [...text].map(glyphOf)
        const positions = glyphs.map(({ advanceWidth }) => ({
          xAdvance: advanceWidth,
          xOffset: 0,
          yOffset: 0,
        }))
        return {
          glyphs,
          positions,
          get advanceWidth() {
            return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
          },
        }
      },
    },
  })
}
