import { buffer } from 'node:stream/consumers'
import type { Agreement } from '@keyturn/contract/agreements/agreement.ts'
import type { DealPackage, PaperSize } from '@keyturn/contract/agreements/endpoints.ts'
import { decodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import { packageTexts, termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { type Block, spaceBlock, stackBlocks, tagBlock, textBlock } from '../../../shared/pdf-blocks.ts'
import {
  createPdfDocument,
  equalMargins,
  type PdfDocument,
  paperSizes,
} from '../../../shared/pdf-document.ts'
import { drawBalanced } from '../../../shared/pdf-pages.ts'
import { createQrCode } from '../../../shared/qr-code.ts'
import { printedName } from '../printed-name.ts'
import { addSealField } from '../seal/seal-field.ts'
import {
  factBlocks,
  faintColor,
  formatMoment,
  inkColor,
  numberPages,
  pageMargin,
  paragraphBlock,
  ruleBlock,
  sectionBlocks,
} from './agreement-pdf-blocks.ts'
import type { Appendix } from './certificate-data.ts'
import { certificateBlocks } from './certificate-pages.ts'
import { drawnSignature } from './drawn-signature.ts'

/** The signed content as the package stores it. It never changes, so each rendering is the same. */
export type SignedAgreement = Pick<DealPackage, '_id' | 'createdAt' | 'agreement'> & { size: PaperSize }
type Signature = DealPackage['agreement']['seller']
/** A sheet that is not signed yet; `_id` names its deal. */
export type DraftAgreement = Omit<SignedAgreement, 'agreement'> & {
  agreement: Pick<DealPackage['agreement'], 'terms' | 'sheet' | 'hash'>
}
type Sheet = DraftAgreement['agreement'] & { seller?: Signature; buyer?: Signature }

/**
 * Renders the signed agreement: the exact sheet, both signatures and the digest of the terms, then
 * the certificate, its attached files and the empty seal field.
 */
export async function drawAgreement(
  paper: SignedAgreement,
  appendix: Appendix | null = null,
): Promise<Buffer> {
  const { terms, sheet } = paper.agreement
  const { agreement } = decodeSheet(sheet)
  const doc = openDocument(paper, agreement.title)
  drawPages(doc, blocksOf(doc, paper.agreement, agreement))
  if (appendix) await appendCertificate(doc, paper, appendix)
  numberPages(doc, `${agreement.title} · ${terms.vin}`)
  doc.end()
  return buffer(doc)
}

/** Renders a sheet before it is signed, marked as a draft on each page. */
export function drawDraft(draft: DraftAgreement): Promise<Buffer> {
  const { terms, sheet, hash } = draft.agreement
  const { agreement } = decodeSheet(sheet)
  const title = texts.draftOf(agreement.title)
  const doc = openDocument(draft, title)
  drawPages(doc, blocksOf(doc, { terms, sheet, hash }, { ...agreement, title }))
  numberPages(doc, `${title} · ${terms.vin}`, texts.draft)
  doc.end()
  return buffer(doc)
}

async function appendCertificate(
  doc: PdfDocument,
  paper: SignedAgreement,
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

const drawPages = (doc: PdfDocument, blocks: readonly Block[]): void =>
  drawBalanced(doc, blocks, { top: pageMargin, room: doc.page.height - 2 * pageMargin })

/** Each block stays on one page. */
function blocksOf(doc: PdfDocument, { terms, hash, seller, buyer }: Sheet, agreement: Agreement): Block[] {
  const { payment, disclaimer, sections } = agreement
  const printed: Record<string, string> = {
    [texts.seller]: printedName(terms.sellerName, seller),
    [texts.buyer]: printedName(terms.buyerName, buyer),
  }
  return [
    stackBlocks(
      tagBlock(doc, 'H1', textBlock(doc, agreement.title, { face: 'strong', size: 22, gap: 2 })),
      paragraphBlock(doc, texts.version(agreement.version), { color: faintColor, size: 9.5 }),
      ...(agreement.sample ? [paragraphBlock(doc, agreement.sample)] : []),
      spaceBlock(doc, 4),
    ),
    stackBlocks(
      ...factBlocks(
        doc,
        agreement.facts.map(({ label, value }) => ({ label, value: printed[label] ?? value })),
      ),
      spaceBlock(doc, 10),
    ),
    ...(payment ? sectionBlocks(doc, payment) : []),
    paragraphBlock(doc, agreement.exclusivity),
    ...(disclaimer ? sectionBlocks(doc, disclaimer) : []),
    ...sections.flatMap(({ title, paragraphs }, index) =>
      sectionBlocks(doc, { title: `${index + 1}. ${title}`, paragraphs }),
    ),
    signatureLine(doc, texts.seller, terms.sellerName, seller),
    stackBlocks(
      signatureLine(doc, texts.buyer, terms.buyerName, buyer),
      spaceBlock(doc, 14),
      paragraphBlock(doc, `${packageTexts.sheetHash}: ${hash}`, { color: faintColor, size: 8.5 }),
    ),
  ]
}

const openDocument = (
  { _id, createdAt, size }: Omit<SignedAgreement, 'agreement'>,
  title: string,
): PdfDocument =>
  createPdfDocument({
    size: paperSizes[size],
    margins: equalMargins(pageMargin),
    title,
    subject: _id,
    at: new Date(createdAt),
    bufferPages: true,
  })

function signatureLine(doc: PdfDocument, role: string, party: string, signed?: Signature): Block {
  const small = { face: 'plain', size: 9.5, color: faintColor } as const
  const { name = party, signature, drawing } = signed ?? {}
  const account = printedName(party, signed)
  const names = stackBlocks(
    textBlock(doc, `${role}: ${name}`, { face: 'strong', size: 10.5, color: inkColor, gap: 1 }),
    ...(name === account ? [] : [textBlock(doc, texts.accountOf(account), { ...small, gap: 1 })]),
    ...(signed ? [textBlock(doc, texts.signedAt(formatMoment(signed.signedAt)), small)] : []),
  )
  const above = drawing === undefined ? [] : [drawnSignature(doc, drawing, name)]
  const typed =
    signature === undefined
      ? spaceBlock(doc, 24)
      : tagBlock(doc, 'P', textBlock(doc, signature, { face: 'script', size: 24, color: inkColor, gap: 1 }))
  // The line is part of neither block; text in the same block after it would be skipped by screen
  // readers.
  return stackBlocks(
    spaceBlock(doc, 18),
    ...above,
    typed,
    ruleBlock(doc, 0),
    spaceBlock(doc, 5),
    tagBlock(doc, 'P', names),
  )
}
