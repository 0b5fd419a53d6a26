import PDFDocument from 'pdfkit'
import { setPlainFont } from './pdf-fonts.ts'

export type Document = PDFKit.PDFDocument
type Margins = { top: number; left: number; right: number; bottom: number }
type Wishes = {
  size: readonly [width: number, height: number]
  margins: Margins
  title: string
  subject?: string
  /** Fixed for what is drawn more than once: two papers of one deal are the same file. */
  at?: Date
  /** Pages are gone back to when all are there. */
  bufferPages?: boolean
}

export const paperSizes = {
  Letter: [612, 792],
  A4: [595.28, 841.89],
} as const satisfies Record<string, Wishes['size']>

export const allAround = (margin: number): Margins => ({
  top: margin,
  left: margin,
  right: margin,
  bottom: margin,
})

/** Every PDF of ours is tagged, says its language and its title, and brings its fonts along. */
export function openPdf({ size, margins, title, subject, at, bufferPages = false }: Wishes): Document {
  const doc = new PDFDocument({
    size: [...size],
    margins,
    // None of its own: every one of ours is registered before it is used.
    font: '',
    bufferPages,
    pdfVersion: '1.7',
    lang: 'en-US',
    tagged: true,
    displayTitle: true,
    info: {
      Title: title,
      ...(subject && { Subject: subject }),
      Creator: 'Keyturn',
      ...(at && { CreationDate: at, ModDate: at }),
    },
  })
  setPlainFont(doc)
  // What is read out hangs from one root, as PDF/UA has it; PDFKit would make each piece a root of its own.
  const whole = doc.struct('Document')
  doc.addStructure(whole)
  doc.addStructure = (piece) => {
    whole.add(piece)
    return doc
  }
  return doc
}
