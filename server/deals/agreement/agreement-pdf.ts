import { buffer } from 'node:stream/consumers'
import { type Agreement, agreementOf } from '@keyturn/contract/deals/agreement.ts'
import { packageTexts, termSheetTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import type { DealPackage } from '@keyturn/contract/deals/shapes.ts'
import PDFDocument from 'pdfkit'
import { drawText, heightOf, plainFont, type TextLook } from '../../kit/pdf-fonts.ts'
import { type Block, balanced, stack } from './pdf-pages.ts'

/** What both have signed, as the package keeps it: never changed, so the same paper comes of it each time. */
export type SignedPaper = Pick<DealPackage, '_id' | 'createdAt' | 'agreement'>
type Document = PDFKit.PDFDocument
type Signature = DealPackage['agreement']['seller']
const margin = 64
const sheet = { width: 612, height: 792 }
const column = sheet.width - 2 * margin
const room = sheet.height - 2 * margin
const ink = '#1c1f23'
const faint = '#5b626b'
const rule = '#c9ced4'

/** The signed agreement on US Letter: the sheet letter by letter, both signatures, the digest of the terms. */
export function drawAgreement(paper: SignedPaper): Promise<Buffer> {
  const { terms, sheet: signed } = paper.agreement
  const agreement =
    signed === null ? agreementOf(terms) : (JSON.parse(signed) as { agreement: Agreement }).agreement
  const doc = openDocument(paper, agreement.title)
  for (const [number, page] of balanced(blocksOf(doc, paper, agreement), room).entries()) {
    if (number > 0) doc.addPage()
    for (const block of page) block.draw()
  }
  numberPages(doc, `${agreement.title} · ${terms.vin}`)
  doc.end()
  return buffer(doc)
}

/** Each stands whole on one page. */
function blocksOf(doc: Document, paper: SignedPaper, agreement: Agreement): Block[] {
  const { terms, sheet: signed, hash, seller, buyer } = paper.agreement
  const { payment, disclaimer, sections } = agreement
  const label = signed === null ? packageTexts.hash : packageTexts.sheetHash
  return [
    stack(
      tagged(doc, 'H1', text(doc, agreement.title, { face: 'strong', size: 22, gap: 2 })),
      paragraph(doc, texts.sampleMark(agreement.version), { color: faint, size: 9.5 }),
      paragraph(doc, agreement.sample),
      space(doc, 4),
    ),
    stack(...agreement.facts.map((fact) => factLine(doc, fact.label, fact.value)), space(doc, 10)),
    ...(payment ? section(doc, payment) : []),
    paragraph(doc, agreement.exclusivity),
    ...section(doc, disclaimer),
    ...sections.flatMap(({ title, paragraphs }, index) =>
      section(doc, { title: `${index + 1}. ${title}`, paragraphs }),
    ),
    signatureLine(doc, texts.seller, terms.sellerName, seller),
    stack(
      signatureLine(doc, texts.buyer, terms.buyerName, buyer),
      space(doc, 14),
      paragraph(doc, `${label}: ${hash}`, { color: faint, size: 8.5 }),
    ),
  ]
}

/** A title never stands alone at the foot of a page. */
function section(doc: Document, { title, paragraphs }: { title: string; paragraphs: string[] }): Block[] {
  const [first = '', ...rest] = paragraphs
  const heading = text(doc, title, { face: 'strong', size: 11.5, color: ink, gap: 3 })
  return [
    stack(space(doc, 5), tagged(doc, 'H2', heading), paragraph(doc, first)),
    ...rest.map((words) => paragraph(doc, words)),
  ]
}

function openDocument({ _id, createdAt }: SignedPaper, title: string): Document {
  const at = new Date(createdAt)
  return new PDFDocument({
    size: [sheet.width, sheet.height],
    margin,
    font: plainFont(),
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-US',
    tagged: true,
    displayTitle: true,
    // Fixed, or two papers of one package would differ.
    info: { Title: title, Subject: _id, Creator: 'Keyturn', CreationDate: at, ModDate: at },
  })
}

const paragraph = (doc: Document, words: string, look: Partial<TextLook> = {}): Block =>
  tagged(doc, 'P', text(doc, words, { face: 'plain', size: 10.5, color: ink, gap: 7, ...look }))

const labelWidth = 130
function factLine(doc: Document, label: string, value: string): Block {
  const named = text(doc, label, { face: 'plain', size: 10.5, color: faint, width: labelWidth })
  const left = margin + labelWidth
  const said = text(doc, value, { face: 'strong', size: 10.5, color: ink, left, width: column - labelWidth })
  const beside = {
    height: said.height,
    draw: () => {
      const top = doc.y
      named.draw()
      doc.y = top
      said.draw()
    },
  }
  return stack(line(doc, -3), tagged(doc, 'P', beside), space(doc, 6))
}

function signatureLine(
  doc: Document,
  role: string,
  party: string,
  { name, signature, signedAt }: Signature,
): Block {
  const small = { face: 'plain', size: 9.5, color: faint } as const
  const lines = stack(
    text(doc, signature, { face: 'script', size: 24, color: ink, gap: 1 }),
    line(doc, 0),
    space(doc, 5),
    text(doc, `${role}: ${name}`, { face: 'strong', size: 10.5, color: ink, gap: 1 }),
    ...(name === party ? [] : [text(doc, texts.accountOf(party), { ...small, gap: 1 })]),
    text(doc, texts.signedAt(moment.format(new Date(signedAt))), small),
  )
  return stack(space(doc, 18), tagged(doc, 'P', lines))
}

const text = (doc: Document, words: string, look: TextLook): Block => ({
  height: heightOf(doc, words, look),
  draw: () => drawText(doc, words, look),
})

const space = (doc: Document, height: number): Block => ({
  height,
  draw: () => {
    doc.y += height
  },
})

/** Across the column, that far below what stands there. */
const line = (doc: Document, below: number): Block => ({
  height: 0,
  draw: () => {
    doc.markContent('Artifact', { type: 'Layout' })
    doc
      .moveTo(margin, doc.y + below)
      .lineTo(margin + column, doc.y + below)
      .lineWidth(0.5)
      .strokeColor(rule)
      .stroke()
    doc.endMarkedContent()
  },
})

/** For screen readers. */
const tagged = (doc: Document, tag: string, { height, draw }: Block): Block => ({
  height,
  draw: () => {
    doc.addStructure(doc.struct(tag, {}, draw))
  },
})

/** In a zone of its own, to the second: whoever reads it, wherever it was drawn. */
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

function numberPages(doc: Document, name: string) {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Below the margin a text would begin a page of its own.
    doc.page.margins.bottom = 0
    doc.markContent('Artifact', { type: 'Pagination' })
    doc.font(plainFont()).fontSize(8.5).fillColor(faint)
    for (const [text, align] of [
      [name, 'left'],
      [texts.page(page - start + 1, count), 'right'],
    ] as const)
      doc.text(text, margin, sheet.height - 40, { width: column, align, lineBreak: false })
    doc.endMarkedContent()
  }
}
