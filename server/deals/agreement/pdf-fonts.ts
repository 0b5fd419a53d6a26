import { createRequire } from 'node:module'

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
 * Draws a text below what stands there. A name may be in letters that the standard fonts of PDF do not have: its word is
 * drawn in the script of the signatures, and what that lacks too is named by its number in Unicode, never left out.
 */
export function drawText(doc: PDFKit.PDFDocument, text: string, look: TextLook): void {
  const { left = doc.page.margins.left, gap = 0 } = look
  const width = look.width ?? doc.page.width - doc.page.margins.right - left
  const pieces = piecesOf(text, look)
  // Fonts of several heights stand on one line.
  const baseline = 'alphabetic'
  const rise = look.size * 0.8
  doc.fillColor(look.color ?? '#000000')
  for (const [index, piece] of pieces.entries()) {
    const continued = index < pieces.length - 1
    doc.font(piece.font).fontSize(piece.size)
    if (index === 0) doc.text(piece.text, left, doc.y + rise, { width, continued, baseline })
    else doc.text(piece.text, { continued, baseline })
  }
  doc.x = doc.page.margins.left
  doc.y += gap - rise
}

/** What it will need, as near as its first letters tell. */
export function heightOf(doc: PDFKit.PDFDocument, text: string, look: TextLook): number {
  const [first] = piecesOf(text, look)
  const width = look.width ?? doc.page.width - doc.page.margins.left - doc.page.margins.right
  return first ? doc.font(first.font).fontSize(first.size).heightOfString(text, { width }) : 0
}

type Piece = { text: string; font: string; size: number }

function piecesOf(text: string, look: TextLook): Piece[] {
  const pieces: Piece[] = []
  for (const word of text.split(/(?<= )/)) {
    const inScript = look.face === 'script' || [...word].some((letter) => isOnlyInScript(letter))
    for (const letter of word) {
      const next = pieceOf(letter, inScript, look)
      const last = pieces.at(-1)
      if (last?.font === next.font && last.size === next.size) last.text += next.text
      else pieces.push(next)
    }
  }
  return pieces
}

function pieceOf(letter: string, inScript: boolean, { face, size }: TextLook): Piece {
  const alphabet = alphabetOf(letter)
  if (!alphabet) return { text: `[${numberOf(letter)}]`, font: standard.plain, size: Math.min(size, 10) }
  if (!inScript) return { text: letter, font: standard[face], size }
  // Small script is hard to read: beside other letters it is a little larger than they are.
  return { text: letter, font: scriptOf(alphabet), size: face === 'script' ? size : size * 1.25 }
}

const isOnlyInScript = (letter: string) => ![undefined, 'latin'].includes(alphabetOf(letter))
const alphabetOf = (letter: string) => alphabets.find(({ letters }) => letters.test(letter))?.name
const numberOf = (letter: string) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

const standard = { plain: 'Helvetica', strong: 'Helvetica-Bold', script: 'Times-Italic' }

/** What Windows-1252 has is in the standard fonts; then the alphabets as the font's package divides them. */
const alphabets = [
  { name: 'latin', letters: /[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u },
  { name: 'latin-ext', letters: /[\u0100-\u017f\u0218-\u021b]/u },
  { name: 'cyrillic', letters: /[\u0400-\u045f\u0490\u0491]/u },
] as const

const { resolve } = createRequire(import.meta.url)
const scriptOf = (alphabet: string) => resolve(`@fontsource/caveat/files/caveat-${alphabet}-500-normal.woff`)
