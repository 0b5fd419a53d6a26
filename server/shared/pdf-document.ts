import PDFDocument from 'pdfkit'
import { setPlainFont } from './pdf-fonts.ts'

export type PdfDocument = PDFKit.PDFDocument
type Margins = { top: number; left: number; right: number; bottom: number }
type PdfOptions = {
  size: readonly [width: number, height: number]
  margins: Margins
  title: string
  subject?: string
  /** Fixed for documents that are drawn more than once: two PDFs of one deal are the same file. */
  at?: Date
  /** Lets `drawOnAllPages` return to earlier pages when all exist. */
  bufferPages?: boolean
}

export const paperSizes = {
  Letter: [612, 792],
  A4: [595.28, 841.89],
} as const satisfies Record<string, PdfOptions['size']>

export const equalMargins = (margin: number): Margins => ({
  top: margin,
  left: margin,
  right: margin,
  bottom: margin,
})

/** Opens a PDF that is tagged, has a language and a title, and embeds its fonts. */
export function createPdfDocument({
  size,
  margins,
  title,
  subject,
  at,
  bufferPages = false,
}: PdfOptions): PdfDocument {
  const doc = new PDFDocument({
    size: [...size],
    margins,
    // No default font: every font is registered before use.
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
  // PDF/UA requires one root for all tagged content; PDFKit would make each piece a root.
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.addStructure = (piece) => {
    root.add(piece)
    return doc
  }
  return doc
}
