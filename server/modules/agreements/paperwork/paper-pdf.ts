import { buffer } from 'node:stream/consumers'
import type { Paper, PaperLine, PaperPart } from '@keyturn/contract/agreements/paperwork/papers.ts'
import { paperworkTexts as texts } from '@keyturn/contract/agreements/paperwork/paperwork-texts.ts'
import type { Source } from '@keyturn/contract/agreements/paperwork/states.ts'
import { artifact, type Block, sideBySide, space, stack, tagged, text } from '../../../shared/pdf-blocks.ts'
import { type Document, equalMargins, openPdf, paperSizes } from '../../../shared/pdf-document.ts'
import { setPlainFont, type TextLook } from '../../../shared/pdf-fonts.ts'
import { drawBalanced, markPages } from '../../../shared/pdf-pages.ts'

/** `of` identifies the agreement whose data is filled in. */
export type PrintedPaper = { paper: Paper; of: { id: string; signedAt: string } }

const [sheetWidth, sheetHeight] = paperSizes.Letter
const margin = 56
const column = sheetWidth - 2 * margin
const banner = 26
const contentHeight = sheetHeight - 2 * margin - banner
const ink = '#1c1f23'
const faint = '#555c64'
const rule = '#9aa1a9'

/** Renders a draft on US Letter, marked as a draft on every page. */
export function drawPaper({ paper, of }: PrintedPaper): Promise<Buffer> {
  const doc = openDocument(paper.title, of.signedAt)
  drawBalanced(doc, blocksOf(doc, paper), { top: margin + banner, room: contentHeight })
  markAsDraft(doc, of.id)
  doc.end()
  return buffer(doc)
}

const openDocument = (title: string, at: string): Document =>
  openPdf({
    size: paperSizes.Letter,
    margins: equalMargins(margin),
    title: `${texts.draft}: ${title}`,
    at: new Date(at),
    bufferPages: true,
  })

const body: TextLook = { face: 'plain', size: 10.5, color: ink, gap: 6 }

const blocksOf = (doc: Document, { title, lead, parts, sources }: Paper): Block[] => [
  stack(
    tagged(doc, 'H1', text(doc, title, { face: 'strong', size: 22, color: ink, gap: 4 })),
    tagged(doc, 'P', text(doc, lead, body)),
  ),
  ...parts.map((part) => partBlock(doc, part)),
  ...(sources.length > 0 ? [sourcesBlock(doc, sources)] : []),
]

/** Stays on one page; each part is shorter than a page. */
const partBlock = (doc: Document, { title, lines }: PaperPart): Block =>
  stack(
    space(doc, 8),
    tagged(doc, 'H2', text(doc, title, { face: 'strong', size: 12, color: ink, gap: 4 })),
    ...lines.map((line) => lineBlock(doc, line)),
  )

function lineBlock(doc: Document, line: PaperLine): Block {
  if (line.is === 'words') return tagged(doc, 'P', text(doc, line.words, body))
  if (line.is === 'box') return boxBlock(doc, line.words)
  if (line.is === 'fact') return factBlock(doc, line)
  return signatureBlock(doc, line)
}

const boxSize = 10
function boxBlock(doc: Document, words: string): Block {
  const indent = boxSize + 10
  const valueText = text(doc, words, { ...body, left: margin + indent, width: column - indent, gap: 5 })
  const square = artifact(doc, 0, () =>
    doc
      .rect(margin, doc.y + 1.5, boxSize, boxSize)
      .lineWidth(0.8)
      .strokeColor(ink)
      .stroke(),
  )
  return sideBySide(doc, square, tagged(doc, 'P', valueText))
}

const labelWidth = 150
function factBlock(doc: Document, { label, value }: { label: string; value: string | null }): Block {
  const left = margin + labelWidth
  const width = column - labelWidth
  const labelText =
    label === '' ? space(doc, 0) : text(doc, label, { ...body, color: faint, width: labelWidth - 10, gap: 0 })
  if (value === null) {
    const start = label === '' ? margin : left
    const line = artifact(doc, 0, () => drawLine(doc, start, doc.y + 15))
    return stack(
      space(doc, 8),
      sideBySide(doc, tagged(doc, 'P', labelText), line, space(doc, 18)),
      space(doc, 5),
    )
  }
  const valueText = text(doc, value, { ...body, face: 'strong', left, width, gap: 0 })
  return stack(tagged(doc, 'P', sideBySide(doc, labelText, valueText)), space(doc, 5))
}

function signatureBlock(doc: Document, { label, name }: { label: string; name: string | null }): Block {
  const small: TextLook = { face: 'plain', size: 9, color: faint, gap: 0 }
  const dateLeft = margin + column * 0.7
  const line = artifact(doc, 3, () => {
    drawLine(doc, margin, doc.y, column * 0.64)
    drawLine(doc, dateLeft, doc.y, column * 0.3)
    doc.y += 3
  })
  const under = sideBySide(
    doc,
    text(doc, name === null ? label : `${label}: ${name}`, { ...small, width: column * 0.64 }),
    text(doc, texts.party.date, { ...small, left: dateLeft, width: column * 0.3 }),
  )
  return stack(space(doc, 30), line, tagged(doc, 'P', under), space(doc, 4))
}

function sourcesBlock(doc: Document, sources: readonly Source[]): Block {
  const look: TextLook = { face: 'plain', size: 8.5, color: faint, gap: 2 }
  return stack(
    space(doc, 12),
    tagged(doc, 'H2', text(doc, texts.sources, { face: 'strong', size: 9.5, color: faint, gap: 2 })),
    ...sources.map(({ name, url, read }) =>
      tagged(doc, 'P', text(doc, `${name}, ${texts.checkedAt(read)}: ${url}`, look)),
    ),
  )
}

const drawLine = (doc: Document, left: number, y: number, width = margin + column - left) =>
  doc
    .moveTo(left, y)
    .lineTo(left + width, y)
    .lineWidth(0.6)
    .strokeColor(rule)
    .stroke()

/** Marks each page as a draft at the top and names its agreement at the bottom. */
const markAsDraft = (doc: Document, id: string): void =>
  markPages(doc, (page, of) => {
    setPlainFont(doc).fillColor(ink).fontSize(9.5)
    doc.text(`${texts.draft} · ${texts.draftLine}`, margin, margin - 12, { width: column, lineBreak: false })
    drawLine(doc, margin, margin + 6)
    doc.fontSize(8.5).fillColor(faint)
    for (const [words, align] of [
      [`${texts.agreement} ${id}`, 'left'],
      [texts.page(page, of), 'right'],
    ] as const)
      doc.text(words, margin, sheetHeight - 38, { width: column, align, lineBreak: false })
  })
