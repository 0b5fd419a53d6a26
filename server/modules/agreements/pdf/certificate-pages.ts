import { certificateTexts as texts } from '@keyturn/contract/agreements/certificate-texts.ts'
import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { withLatinSpelling } from '@keyturn/contract/agreements/latin-spelling.ts'
import { pdfAttachments } from '@keyturn/contract/agreements/sealed-pdf.ts'
import { drawQrCode } from '../../../shared/draw-qr-code.ts'
import {
  type Block,
  placeSideBySide,
  spaceBlock,
  stackBlocks,
  tagBlock,
  textBlock,
} from '../../../shared/pdf-blocks.ts'
import type { PdfDocument } from '../../../shared/pdf-document.ts'
import type { QrCode } from '../../../shared/qr-code.ts'
import {
  columnWidth,
  factLine,
  faintColor,
  formatMoment,
  formatShortMoment,
  headingBlock,
  inkColor,
  pageMargin,
  paragraphBlock,
  sectionBlocks,
} from './agreement-pdf-blocks.ts'
import type { Certificate, CertifiedParty } from './certificate-data.ts'

type Signed = Pick<DealPackage, 'createdAt' | 'agreement'>

const small = { size: 9.5, gap: 5 }
const plain = { face: 'plain', size: 9.5 } as const
const codeSize = 96

/** The certificate of signatures, in blocks that each stay on one page. */
export function certificateBlocks(
  doc: PdfDocument,
  { agreement, createdAt }: Signed,
  certificate: Certificate,
  code: QrCode,
): Block[] {
  const { terms, hash } = agreement
  const { number, parties, packageDigest, events, head } = certificate
  const digest = (label: string, value: string) => factLine(doc, label, value, { ...plain, size: 8.5 })
  return [
    stackBlocks(titleBlock(doc, certificate, code), spaceBlock(doc, 8)),
    stackBlocks(
      factLine(doc, texts.number, number, { size: 9.5 }),
      factLine(doc, texts.car, `${terms.year} ${terms.make} ${terms.model}, VIN ${terms.vin}`, { size: 9.5 }),
      factLine(doc, texts.both, formatMoment(createdAt), { size: 9.5 }),
    ),
    ...parties.map((party) => partyBlock(doc, agreement, party)),
    stackBlocks(
      spaceBlock(doc, 8),
      headingBlock(doc, texts.digests),
      digest(texts.sheetDigest, hash),
      ...parties.map(({ role, digest: of }) => digest(texts.signatureDigests[role], of)),
      digest(texts.packageDigest, packageDigest),
    ),
    ...eventBlocks(doc, events),
    ...sectionBlocks(doc, { title: texts.log, paragraphs: [texts.logLead(head.size)] }, small),
    stackBlocks(
      ...noteLines(head.note).map((words) =>
        paragraphBlock(doc, words, { size: 8.5, color: faintColor, gap: 0 }),
      ),
    ),
    spaceBlock(doc, 6),
    ...sectionBlocks(doc, { title: texts.check, paragraphs: stepsOf(certificate) }, small),
  ]
}

function titleBlock(doc: PdfDocument, { verify }: Certificate, code: QrCode): Block {
  const width = columnWidth(doc) - codeSize - 24
  const words = stackBlocks(
    tagBlock(doc, 'H1', textBlock(doc, texts.title, { face: 'strong', size: 22, gap: 4, width })),
    paragraphBlock(doc, texts.lead, { width }),
  )
  const drawn: Block = {
    height: codeSize,
    draw: () => {
      const place = { left: pageMargin + columnWidth(doc) - codeSize, top: doc.y, size: codeSize }
      drawQrCode(doc, code, place, { link: verify, alt: texts.code, ink: inkColor })
      doc.x = pageMargin
      doc.y = place.top + codeSize
    },
  }
  return placeSideBySide(doc, words, drawn)
}

function partyBlock(
  doc: PdfDocument,
  { terms, seller, buyer }: Signed['agreement'],
  party: CertifiedParty,
): Block {
  const { name, signature, signedAt } = party.role === 'SELLER' ? seller : buyer
  const account = party.role === 'SELLER' ? terms.sellerName : terms.buyerName
  const fact = (label: string, value: string) => factLine(doc, label, value, plain)
  return stackBlocks(
    spaceBlock(doc, 8),
    headingBlock(doc, texts.parties[party.role]),
    fact(texts.name, name),
    ...(withLatinSpelling(account, name) === name ? [] : [fact(texts.account, account)]),
    factLine(doc, texts.signature, signature, { face: 'script', size: 15 }),
    fact(texts.signedAt, formatMoment(signedAt)),
    fact(texts.email, texts.verified(party.email, formatMoment(party.verifiedAt))),
    fact(
      texts.consent,
      party.consentVersion === null ? texts.consentMissing : texts.consentGiven(party.consentVersion),
    ),
    fact(texts.from, party.from),
  )
}

function eventBlocks(doc: PdfDocument, events: Certificate['events']): Block[] {
  const lines = events.map(({ at, ...event }) =>
    factLine(doc, formatShortMoment(at), texts.eventLine(event), plain),
  )
  const lead = paragraphBlock(doc, texts.eventsLead, small)
  const [first = spaceBlock(doc, 0), ...rest] = lines
  return [stackBlocks(spaceBlock(doc, 8), headingBlock(doc, texts.events), lead, first), ...rest]
}

const noteLines = (note: string): string[] => note.split('\n').filter((words) => words !== '')

const stepsOf = ({ verify, origin }: Certificate): string[] =>
  texts
    .steps({ verify, origin, packageFile: pdfAttachments.package.name, proofFile: pdfAttachments.proof.name })
    .map((step, index) => `${index + 1}. ${step}`)
