import { certificateTexts as texts } from '@keyturn/contract/agreements/certificate-texts.ts'
import { readConsentText } from '@keyturn/contract/agreements/consent.ts'
import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
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
import { printedName } from '../printed-name.ts'
import {
  columnWidth,
  factBlocks,
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
  const { number, parties, packageDigest, events, head, address } = certificate
  const digest = (label: string, value: string) => ({ label, value, look: { ...plain, size: 8.5 } })
  return [
    stackBlocks(titleBlock(doc, certificate, code), spaceBlock(doc, 8)),
    stackBlocks(
      ...factBlocks(doc, [
        { label: texts.number, value: number, look: { size: 9.5 } },
        {
          label: texts.car,
          value: `${terms.year} ${terms.make} ${terms.model}, VIN ${terms.vin}`,
          look: { size: 9.5 },
        },
        { label: texts.both, value: formatMoment(createdAt), look: { size: 9.5 } },
      ]),
    ),
    ...parties.map((party) => partyBlock(doc, agreement, party)),
    stackBlocks(
      spaceBlock(doc, 8),
      headingBlock(doc, texts.digests),
      ...factBlocks(doc, [
        digest(texts.sheetDigest, hash),
        ...parties.map(({ role, digest: of }) => digest(texts.signatureDigests[role], of)),
        digest(texts.packageDigest, packageDigest),
      ]),
    ),
    ...eventBlocks(doc, events),
    ...consentBlocks(doc, parties),
    paragraphBlock(doc, texts.paperCopies(address), small),
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
  const isSeller = party.role === 'SELLER'
  const signed = isSeller ? seller : buyer
  const { name, signature, signedAt } = signed
  const account = printedName(isSeller ? terms.sellerName : terms.buyerName, signed)
  const fact = (label: string, value: string) => ({ label, value, look: plain })
  const { signIn, shownAt, fetchedAt, consent } = party
  const at = (recorded: string | null) => (recorded === null ? texts.notRecorded : formatMoment(recorded))
  return stackBlocks(
    spaceBlock(doc, 8),
    headingBlock(doc, texts.parties[party.role]),
    ...factBlocks(doc, [
      fact(texts.name, name),
      ...(name === account ? [] : [fact(texts.account, account)]),
      fact(texts.email, texts.verified(party.email, formatMoment(party.verifiedAt))),
      fact(
        texts.authenticated,
        texts.signIn(signIn && { ...signIn, at: signIn.at && formatMoment(signIn.at) }),
      ),
      fact(texts.shown, at(shownAt)),
      ...(fetchedAt === null ? [] : [fact(texts.fetched, at(fetchedAt))]),
      fact(
        texts.consent,
        consent === null
          ? texts.consentMissing
          : texts.consentGiven(consent.at && formatMoment(consent.at), consent.version),
      ),
      { label: texts.signature, value: signature, look: { face: 'script', size: 15 } },
      fact(texts.signedAt, formatMoment(signedAt)),
      fact(texts.from, party.from),
    ]),
  )
}

function eventBlocks(doc: PdfDocument, events: Certificate['events']): Block[] {
  const rows = events.map(({ at, ...event }) => ({
    label: formatShortMoment(at),
    value: texts.eventLine(event),
    look: plain,
  }))
  const lead = paragraphBlock(doc, texts.eventsLead, small)
  const [first = spaceBlock(doc, 0), ...rest] = factBlocks(doc, rows)
  return [stackBlocks(spaceBlock(doc, 8), headingBlock(doc, texts.events), lead, first), ...rest]
}

/** The full text of each consent that a party gave. */
function consentBlocks(doc: PdfDocument, parties: readonly CertifiedParty[]): Block[] {
  const versions = new Set(parties.flatMap(({ consent }) => consent?.version ?? []))
  return [...versions].flatMap((version) => {
    const { lead, sections } = readConsentText(version)
    const paragraphs = [lead, ...sections.map(({ title, text }) => `${title}. ${text}`)]
    const title = texts.consentWords(version)
    const [first, second, ...rest] = sectionBlocks(doc, { title, paragraphs }, { ...small, gap: 3 })
    return first && second ? [stackBlocks(first, second), ...rest] : []
  })
}

const noteLines = (note: string): string[] => note.split('\n').filter((words) => words !== '')

const stepsOf = ({ verify, origin }: Certificate): string[] =>
  texts
    .steps({ verify, origin, packageFile: pdfAttachments.package.name, proofFile: pdfAttachments.proof.name })
    .map((step, index) => `${index + 1}. ${step}`)
