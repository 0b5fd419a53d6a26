import { readFont } from './font-files.ts'
import { findAlphabet, formatCodePoint, sansFont, scriptFont } from './typefaces.ts'

type Face = 'plain' | 'strong' | 'script'
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
 * Draws a text below the previous content, in the typeface of the pages or of signatures. Each
 * alphabet has its own font file. A letter that the signature font lacks is drawn upright, and one
 * that no file has is replaced by its Unicode number, never omitted.
 */
export function drawText(doc: PDFKit.PDFDocument, text: string, look: TextLook): void {
  const { left = doc.page.margins.left, gap = 0 } = look
  const width = look.width ?? doc.page.width - doc.page.margins.right - left
  const pieces = splitByFont(text, look.face)
  // Aligns fonts of different heights.
  const baseline = 'alphabetic'
  const rise = look.size * 0.8
  doc.fillColor(look.color ?? '#000000')
  for (const [index, piece] of pieces.entries()) {
    const continued = index < pieces.length - 1
    setFont(doc, piece.font).fontSize(look.size)
    if (index === 0) doc.text(piece.text, left, doc.y + rise, { width, continued, baseline })
    else doc.text(piece.text, { continued, baseline })
  }
  doc.x = doc.page.margins.left
  doc.y += gap - rise
}

/** Estimates the height of a text in points from the font of its first letters. */
export function textHeight(doc: PDFKit.PDFDocument, text: string, look: TextLook): number {
  const { left = doc.page.margins.left, gap = 0 } = look
  const width = look.width ?? doc.page.width - doc.page.margins.right - left
  const [first] = splitByFont(text, look.face)
  return first ? setFont(doc, first.font).fontSize(look.size).heightOfString(text, { width }) + gap : gap
}

export const setPlainFont = (doc: PDFKit.PDFDocument): PDFKit.PDFDocument =>
  setFont(doc, sansFont('latin', 'plain'))

const setFont = (doc: PDFKit.PDFDocument, file: string): PDFKit.PDFDocument =>
  doc.registerFont(file, readFont(file)).font(file)

type Piece = { text: string; font: string }

/** Splits a text by the font file of its letters. */
export function splitByFont(text: string, face: Face): Piece[] {
  const pieces: Piece[] = []
  for (const letter of text) {
    const next = pieceOf(letter, face)
    const last = pieces.at(-1)
    if (last?.font === next.font) last.text += next.text
    else pieces.push(next)
  }
  return pieces
}

function pieceOf(letter: string, face: Face): Piece {
  const upright = face === 'script' ? 'plain' : face
  const alphabet = findAlphabet(letter)
  if (!alphabet) return { text: `[${formatCodePoint(letter)}]`, font: sansFont('latin', upright) }
  const isScript = face === 'script' && alphabet.isInScript
  return { text: letter, font: isScript ? scriptFont(alphabet.name) : sansFont(alphabet.name, upright) }
}
