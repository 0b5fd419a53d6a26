import { certificateTexts as texts } from '@keyturn/contract/agreements/certificate-texts.ts'
import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { attachments } from '@keyturn/contract/agreements/sealed-pdf.ts'
import { drawQrCode } from '../../../shared/draw-qr-code.ts'
import { type Block, sideBySide, space, stack, tagged, text } from '../../../shared/pdf-blocks.ts'
import type { Document } from '../../../shared/pdf-document.ts'
import type { QrCode } from '../../../shared/qr-code.ts'
import type { Certificate, Party } from './certificate.ts'
import {
  columnOf,
  factLine,
  faint,
  formatMoment,
  formatShortMoment,
  heading,
  ink,
  margin,
  paragraph,
  section,
} from './pdf-blocks.ts'

type Signed = Pick<DealPackage, 'createdAt' | 'agreement'>

const small = { size: 9.5, gap: 5 }
const plain = { face: 'plain', size: 9.5 } as const
const codeSize = 96

/** The certificate of signatures, in blocks that each stay on one page. */
export function certificateBlocks(
  doc: Document,
  { agreement, createdAt }: Signed,
  certificate: Certificate,
  code: QrCode,
): Block[] {
  const { terms, hash } = agreement
  const { number, parties, packageDigest, events, head } = certificate
  const digest = (label: string, value: string) => factLine(doc, label, value, { ...plain, size: 8.5 })
  return [
    stack(titleBlock(doc, certificate, code), space(doc, 8)),
    stack(
      factLine(doc, texts.number, number, { size: 9.5 }),
      factLine(doc, texts.car, `${terms.year} ${terms.make} ${terms.model}, VIN ${terms.vin}`, { size: 9.5 }),
      factLine(doc, texts.both, formatMoment(createdAt), { size: 9.5 }),
    ),
    ...parties.map((party) => partyBlock(doc, agreement, party)),
    stack(
      space(doc, 8),
      heading(doc, texts.digests),
      digest(texts.sheetDigest, hash),
      ...parties.map(({ role, digest: of }) => digest(texts.signatureDigests[role], of)),
      digest(texts.packageDigest, packageDigest),
    ),
    ...eventBlocks(doc, events),
    ...section(doc, { title: texts.log, paragraphs: [texts.logLead(head.size)] }, small),
    stack(...noteLines(head.note).map((words) => paragraph(doc, words, { size: 8.5, color: faint, gap: 0 }))),
    space(doc, 6),
    ...section(doc, { title: texts.check, paragraphs: stepsOf(certificate) }, small),
  ]
}

function titleBlock(doc: Document, { verify }: Certificate, code: QrCode): Block {
  const width = columnOf(doc) - codeSize - 24
  const words = stack(
    tagged(doc, 'H1', text(doc, texts.title, { face: 'strong', size: 22, gap: 4, width })),
    paragraph(doc, texts.lead, { width }),
  )
  const drawn: Block = {
    height: codeSize,
    draw: () => {
      const place = { left: margin + columnOf(doc) - codeSize, top: doc.y, size: codeSize }
      drawQrCode(doc, code, place, { link: verify, alt: texts.code, ink })
      doc.x = margin
      doc.y = place.top + codeSize
    },
  }
  return sideBySide(doc, words, drawn)
}

function partyBlock(doc: Document, { terms, seller, buyer }: Signed['agreement'], party: Party): Block {
  const { name, signature, signedAt } = party.role === 'SELLER' ? seller : buyer
  const account = party.role === 'SELLER' ? terms.sellerName : terms.buyerName
  const fact = (label: string, value: string) => factLine(doc, label, value, plain)
  return stack(
    space(doc, 8),
    heading(doc, texts.parties[party.role]),
    fact(texts.name, name),
    ...(account === name ? [] : [fact(texts.account, account)]),
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

function eventBlocks(doc: Document, events: Certificate['events']): Block[] {
  const lines = events.map(({ at, ...event }) =>
    factLine(doc, formatShortMoment(at), texts.eventLine(event), plain),
  )
  const lead = paragraph(doc, texts.eventsLead, small)
  const [first = space(doc, 0), ...rest] = lines
  return [stack(space(doc, 8), heading(doc, texts.events), lead, first), ...rest]
}

const noteLines = (note: string): string[] => note.split('\n').filter((words) => words !== '')

const stepsOf = ({ verify, origin }: Certificate): string[] =>
  texts
    .steps({ verify, origin, packageFile: attachments.package.name, proofFile: attachments.proof.name })
    .map((step, index) => `${index + 1}. ${step}`)
