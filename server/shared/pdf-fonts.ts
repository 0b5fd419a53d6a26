import { unpackedFont } from './font-files.ts'
import { alphabetOf, numberOf, sans, script } from './typefaces.ts'

type Face = 'plain' | 'strong' | 'script'
export type TextLook = {
  face: Face
  size: number
  color?: string
  /** Space below. */
  gap?: number
  left?: number
  width?: number
}

/**
 * Draws a text below what stands there, in the typeface of the pages or the script of signatures. Each alphabet is a font
 * file of its own; a letter that the script lacks is drawn upright, and one that no file has is named by its number in
 * Unicode, never left out.
 */
export function drawText(doc: PDFKit.PDFDocument, text: string, look: TextLook): void {
  const { left = doc.page.margins.left, gap = 0 } = look
  const width = look.width ?? doc.page.width - doc.page.margins.right - left
  const pieces = piecesOf(text, look.face)
  // Fonts of several heights stand on one line.
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

/** What it will need, as near as its first letters tell. */
export function heightOf(doc: PDFKit.PDFDocument, text: string, look: TextLook): number {
  const { left = doc.page.margins.left, gap = 0 } = look
  const width = look.width ?? doc.page.width - doc.page.margins.right - left
  const [first] = piecesOf(text, look.face)
  return first ? setFont(doc, first.font).fontSize(look.size).heightOfString(text, { width }) + gap : gap
}

/** For a line that needs no more than plain letters. */
export const setPlainFont = (doc: PDFKit.PDFDocument): PDFKit.PDFDocument =>
  setFont(doc, sans('latin', 'plain'))

const setFont = (doc: PDFKit.PDFDocument, file: string): PDFKit.PDFDocument =>
  doc.registerFont(file, unpackedFont(file)).font(file)

type Piece = { text: string; font: string }

/** A text divided by the font file that each of its letters has. */
export function piecesOf(text: string, face: Face): Piece[] {
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
  const alphabet = alphabetOf(letter)
  if (!alphabet) return { text: `[${numberOf(letter)}]`, font: sans('latin', upright) }
  const isScript = face === 'script' && alphabet.isInScript
  return { text: letter, font: isScript ? script(alphabet.name) : sans(alphabet.name, upright) }
}
