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
 * Draws a text below what stands there, in the typeface of the pages or the script of signatures. Each alphabet is a font
 * file of its own; a letter that the script lacks is drawn upright, and one that no file has is named by its number in
 * Unicode, never left out.
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
    doc.font(piece.font).fontSize(look.size)
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
  const [first] = piecesOf(text, look)
  return first ? doc.font(first.font).fontSize(look.size).heightOfString(text, { width }) + gap : gap
}

/** For a line that needs no more than plain letters. */
export const plainFont = (): string => sans('latin', 'plain')

type Piece = { text: string; font: string }

function piecesOf(text: string, { face }: TextLook): Piece[] {
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
  const alphabet = alphabets.find(({ letters }) => letters.test(letter))
  if (!alphabet) return { text: `[${numberOf(letter)}]`, font: sans('latin', upright) }
  const isScript = face === 'script' && alphabet.isInScript
  return { text: letter, font: isScript ? script(alphabet.name) : sans(alphabet.name, upright) }
}

const numberOf = (letter: string) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

/** As the packages of both typefaces divide them, as far as both have the letters. */
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

const { resolve } = createRequire(import.meta.url)
const paths = new Map<string, string>()
/** Looked up once: every letter asks for its font. */
function pathOf(file: string): string {
  const known = paths.get(file) ?? resolve(`${file}-normal.woff`)
  paths.set(file, known)
  return known
}
const sans = (alphabet: Alphabet, face: 'plain' | 'strong') =>
  pathOf(`@fontsource/source-sans-3/files/source-sans-3-${alphabet}-${face === 'strong' ? 700 : 400}`)
const script = (alphabet: Alphabet) => pathOf(`@fontsource/caveat/files/caveat-${alphabet}-500`)
