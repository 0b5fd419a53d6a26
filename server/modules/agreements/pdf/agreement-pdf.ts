import { buffer } from 'node:stream/consumers'
import type { Agreement } from '@keyturn/contract/agreements/agreement.ts'
import type { DealPackage, PaperSize } from '@keyturn/contract/agreements/endpoints.ts'
import { readSheet } from '@keyturn/contract/agreements/sheet.ts'
import { packageTexts, termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { type Block, space, stack, tagged, text } from '../../../shared/pdf-blocks.ts'
import { type Document, equalMargins, openPdf, paperSizes } from '../../../shared/pdf-document.ts'
import { drawBalanced } from '../../../shared/pdf-pages.ts'
import { createQrCode } from '../../../shared/qr-code.ts'
import { addSealField } from '../seal/seal-field.ts'
import type { Appendix } from './certificate.ts'
import { certificateBlocks } from './certificate-pages.ts'
import { drawnSignature } from './drawn-signature.ts'
import {
  factLine,
  faint,
  formatMoment,
  ink,
  line,
  margin,
  numberPages,
  paragraph,
  section,
} from './pdf-blocks.ts'

/** The signed content as the package stores it. It never changes, so each rendering is the same. */
export type SignedPaper = Pick<DealPackage, '_id' | 'createdAt' | 'agreement'> & { size: PaperSize }
type Signature = DealPackage['agreement']['seller']

/**
 * Renders the signed agreement: the exact sheet, both signatures and the digest of the terms, then
 * the certificate, its attached files and the empty seal field.
 */
export async function drawAgreement(paper: SignedPaper, appendix: Appendix | null = null): Promise<Buffer> {
  const { terms, sheet } = paper.agreement
  const { agreement } = readSheet(sheet)
  const doc = openDocument(paper, agreement.title)
  drawPages(doc, blocksOf(doc, paper, agreement))
  if (appendix) await appendCertificate(doc, paper, appendix)
  numberPages(doc, `${agreement.title} · ${terms.vin}`)
  doc.end()
  return buffer(doc)
}

async function appendCertificate(
  doc: Document,
  paper: SignedPaper,
  { certificate, files, sealedAt }: Appendix,
): Promise<void> {
  doc.addPage()
  drawPages(doc, certificateBlocks(doc, paper, certificate, await createQrCode(certificate.verify)))
  // Not compressed, so that the attached files can be read without a tool.
  doc.compress = false
  for (const { name, description, text: words } of files)
    doc.file(Buffer.from(words), {
      name,
      description,
      type: 'application/json',
      relationship: 'Data',
      creationDate: new Date(paper.createdAt),
      modifiedDate: new Date(paper.createdAt),
    } as PDFKit.Mixins.PDFAttachmentOptions)
  doc.compress = true
  addSealField(doc, new Date(sealedAt))
}

const drawPages = (doc: Document, blocks: readonly Block[]): void =>
  drawBalanced(doc, blocks, { top: margin, room: doc.page.height - 2 * margin })

/** Each block stays on one page. */
function blocksOf(doc: Document, paper: SignedPaper, agreement: Agreement): Block[] {
  const { terms, hash, seller, buyer } = paper.agreement
  const { payment, disclaimer, sections } = agreement
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
      paragraph(doc, `${packageTexts.sheetHash}: ${hash}`, { color: faint, size: 8.5 }),
    ),
  ]
}

const openDocument = ({ _id, createdAt, size }: SignedPaper, title: string): Document =>
  openPdf({
    size: paperSizes[size],
    margins: equalMargins(margin),
    title,
    subject: _id,
    at: new Date(createdAt),
    bufferPages: true,
  })

function signatureLine(
  doc: Document,
  role: string,
  party: string,
  { name, signature, drawing, signedAt }: Signature,
): Block {
  const small = { face: 'plain', size: 9.5, color: faint } as const
  const names = stack(
    text(doc, `${role}: ${name}`, { face: 'strong', size: 10.5, color: ink, gap: 1 }),
    ...(name === party ? [] : [text(doc, texts.accountOf(party), { ...small, gap: 1 })]),
    text(doc, texts.signedAt(formatMoment(signedAt)), small),
  )
  const above = drawing === undefined ? [] : [drawnSignature(doc, drawing, name)]
  // The line is part of neither block; text in the same block after it would be skipped by screen
  // readers.
  return stack(
    space(doc, 18),
    ...above,
    tagged(doc, 'P', text(doc, signature, { face: 'script', size: 24, color: ink, gap: 1 })),
    line(doc, 0),
    space(doc, 5),
    tagged(doc, 'P', names),
  )
}
