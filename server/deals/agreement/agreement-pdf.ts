import { type Agreement, agreementOf } from '@keyturn/contract/deals/agreement.ts'
import { packageTexts, termSheetTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import type { DealPackage } from '@keyturn/contract/deals/shapes.ts'
import PDFDocument from 'pdfkit'
import { drawText, heightOf, type TextLook } from './pdf-fonts.ts'

/** What both have signed, as the package keeps it: never changed, so the same paper comes of it each time. */
export type SignedPaper = Pick<DealPackage, '_id' | 'createdAt' | 'agreement'>
type Document = PDFKit.PDFDocument
type Signature = DealPackage['agreement']['seller']

const margin = 64
const sheet = { width: 612, height: 792 }
const column = sheet.width - 2 * margin
const ink = '#1c1f23'
const faint = '#5b626b'
const rule = '#c9ced4'

/** The signed agreement on US Letter: the sheet letter by letter, both signatures, the digest of the terms. */
export function drawAgreement(paper: SignedPaper): Promise<Buffer> {
  const { terms, sheet, hash, seller, buyer } = paper.agreement
  const agreement =
    sheet === null ? agreementOf(terms) : (JSON.parse(sheet) as { agreement: Agreement }).agreement
  const doc = openDocument(paper, agreement.title)

  tagged(doc, 'H1', () => drawText(doc, agreement.title, { face: 'strong', size: 20, gap: 2 }))
  drawParagraph(doc, texts.sampleMark(agreement.version), { color: faint, size: 9 })
  drawParagraph(doc, agreement.sample)
  doc.y += 4
  for (const { label, value } of agreement.facts) drawFact(doc, label, value)
  doc.y += 10
  if (agreement.payment) drawSection(doc, agreement.payment)
  drawParagraph(doc, agreement.exclusivity)
  drawSection(doc, agreement.disclaimer)
  for (const [index, section] of agreement.sections.entries())
    drawSection(doc, { ...section, title: `${index + 1}. ${section.title}` })
  drawSignature(doc, texts.seller, terms.sellerName, seller)
  drawSignature(doc, texts.buyer, terms.buyerName, buyer)
  doc.y += 14
  drawParagraph(doc, `${sheet === null ? packageTexts.hash : packageTexts.sheetHash}: ${hash}`, {
    color: faint,
    size: 8,
  })
  numberPages(doc, `${agreement.title} · ${terms.vin}`)
  return bytesOf(doc)
}

function openDocument({ _id, createdAt }: SignedPaper, title: string): Document {
  const at = new Date(createdAt)
  return new PDFDocument({
    size: [sheet.width, sheet.height],
    margin,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-US',
    tagged: true,
    displayTitle: true,
    // Fixed, or two papers of one package would differ.
    info: { Title: title, Subject: _id, Creator: 'Keyturn', CreationDate: at, ModDate: at },
  })
}

function drawParagraph(doc: Document, text: string, look: Partial<TextLook> = {}) {
  tagged(doc, 'P', () => drawText(doc, text, { face: 'plain', size: 10, color: ink, gap: 7, ...look }))
}

function drawSection(doc: Document, { title, paragraphs }: { title: string; paragraphs: string[] }) {
  // A title never stands alone at the foot of a page.
  keepRoom(doc, 60)
  doc.y += 5
  tagged(doc, 'H2', () => drawText(doc, title, { face: 'strong', size: 11, color: ink, gap: 3 }))
  for (const paragraph of paragraphs) drawParagraph(doc, paragraph)
}

const labelWidth = 130
function drawFact(doc: Document, label: string, value: string) {
  keepRoom(doc, 20)
  const top = doc.y
  line(doc, top - 3)
  tagged(doc, 'P', () => {
    drawText(doc, label, { face: 'plain', size: 10, color: faint, width: labelWidth })
    doc.y = top
    const left = margin + labelWidth
    drawText(doc, value, { face: 'strong', size: 10, color: ink, left, width: column - labelWidth })
  })
  doc.y += 6
}

function drawSignature(doc: Document, role: string, party: string, { name, signature, signedAt }: Signature) {
  const script = { face: 'script', size: 24, color: ink, gap: 1 } as const
  keepRoom(doc, 80 + heightOf(doc, signature, script))
  doc.y += 18
  tagged(doc, 'P', () => {
    drawText(doc, signature, script)
    line(doc, doc.y)
    doc.y += 5
    drawText(doc, `${role}: ${name}`, { face: 'strong', size: 10, color: ink, gap: 1 })
    if (name !== party)
      drawText(doc, texts.accountOf(party), { face: 'plain', size: 9, color: faint, gap: 1 })
    drawText(doc, texts.signedAt(moment.format(new Date(signedAt))), { face: 'plain', size: 9, color: faint })
  })
}

/** In a zone of its own, to the second: whoever reads it, wherever it was drawn. */
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

function numberPages(doc: Document, name: string) {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Below the margin a text would begin a page of its own.
    doc.page.margins.bottom = 0
    doc.markContent('Artifact', { type: 'Pagination' })
    doc.font('Helvetica').fontSize(8).fillColor(faint)
    for (const [text, align] of [
      [name, 'left'],
      [texts.page(page - start + 1, count), 'right'],
    ] as const)
      doc.text(text, margin, sheet.height - 40, { width: column, align, lineBreak: false })
    doc.endMarkedContent()
  }
}

function keepRoom(doc: Document, height: number) {
  if (doc.y + height > sheet.height - margin) doc.addPage()
}

function line(doc: Document, y: number) {
  doc.markContent('Artifact', { type: 'Layout' })
  doc
    .moveTo(margin, y)
    .lineTo(margin + column, y)
    .lineWidth(0.5)
    .strokeColor(rule)
    .stroke()
  doc.endMarkedContent()
}

/** For screen readers. */
function tagged(doc: Document, tag: string, draw: () => void) {
  doc.addStructure(doc.struct(tag, {}, draw))
}

function bytesOf(doc: Document): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    doc.on('data', (piece: Buffer) => pieces.push(piece))
    doc.on('end', () => resolve(Buffer.concat(pieces)))
    doc.on('error', reject)
    doc.end()
  })
}
