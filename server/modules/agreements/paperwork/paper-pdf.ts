import { buffer } from 'node:stream/consumers'
import type { Paper, PaperLine, PaperPart } from '@keyturn/contract/agreements/paperwork/papers.ts'
import { paperworkTexts as texts } from '@keyturn/contract/agreements/paperwork/paperwork-texts.ts'
import {
  artifactBlock,
  type Block,
  placeSideBySide,
  spaceBlock,
  stackBlocks,
  tagBlock,
  textBlock,
} from '../../../shared/pdf-blocks.ts'
import {
  createPdfDocument,
  equalMargins,
  type PdfDocument,
  paperSizes,
} from '../../../shared/pdf-document.ts'
import { setPlainFont, type TextLook } from '../../../shared/pdf-fonts.ts'
import { drawBalanced, drawOnAllPages } from '../../../shared/pdf-pages.ts'

/** `of` identifies the agreement whose data is filled in. */
export type PaperToPrint = { paper: Paper; of: { id: string; signedAt: string } }

const [sheetWidth, sheetHeight] = paperSizes.Letter
const margin = 56
const column = sheetWidth - 2 * margin
const banner = 26
const contentHeight = sheetHeight - 2 * margin - banner
const ink = '#1c1f23'
const faint = '#555c64'
const rule = '#9aa1a9'

/** Renders a draft on US Letter, marked as a draft on every page. */
export function drawPaper({ paper, of }: PaperToPrint): Promise<Buffer> {
  const doc = openDocument(paper.title, of.signedAt)
  drawBalanced(doc, blocksOf(doc, paper), { top: margin + banner, room: contentHeight })
  markAsDraft(doc, of.id)
  doc.end()
  return buffer(doc)
}

const openDocument = (title: string, at: string): PdfDocument =>
  createPdfDocument({
    size: paperSizes.Letter,
    margins: equalMargins(margin),
    title: `${texts.draft}: ${title}`,
    at: new Date(at),
    bufferPages: true,
  })

const body: TextLook = { face: 'plain', size: 10.5, color: ink, gap: 6 }

const blocksOf = (doc: PdfDocument, { title, lead, parts, sources }: Paper): Block[] => [
  stackBlocks(
    tagBlock(doc, 'H1', textBlock(doc, title, { face: 'strong', size: 22, color: ink, gap: 4 })),
    tagBlock(doc, 'P', textBlock(doc, lead, body)),
  ),
  ...parts.map((part) => partBlock(doc, part)),
  ...(sources.length > 0 ? [sourcesBlock(doc, sources)] : []),
]

/** Stays on one page; each part is shorter than a page. */
const partBlock = (doc: PdfDocument, { title, lines }: PaperPart): Block =>
  stackBlocks(
    spaceBlock(doc, 8),
    tagBlock(doc, 'H2', textBlock(doc, title, { face: 'strong', size: 12, color: ink, gap: 4 })),
    ...lines.map((line) => lineBlock(doc, line)),
  )

function lineBlock(doc: PdfDocument, line: PaperLine): Block {
  if (line.is === 'words') return tagBlock(doc, 'P', textBlock(doc, line.words, body))
  if (line.is === 'box') return boxBlock(doc, line.words)
  if (line.is === 'fact') return factBlock(doc, line)
  return signatureBlock(doc, line)
}

const boxSize = 10
function boxBlock(doc: PdfDocument, words: string): Block {
  const indent = boxSize + 10
  const valueText = textBlock(doc, words, { ...body, left: margin + indent, width: column - indent, gap: 5 })
  const square = artifactBlock(doc, 0, () =>
    doc
      .rect(margin, doc.y + 1.5, boxSize, boxSize)
      .lineWidth(0.8)
      .strokeColor(ink)
      .stroke(),
  )
  return placeSideBySide(doc, square, tagBlock(doc, 'P', valueText))
}

const labelWidth = 150
function factBlock(doc: PdfDocument, { label, value }: { label: string; value: string | null }): Block {
  const left = margin + labelWidth
  const width = column - labelWidth
  const labelText =
    label === ''
      ? spaceBlock(doc, 0)
      : textBlock(doc, label, { ...body, color: faint, width: labelWidth - 10, gap: 0 })
  if (value === null) {
    const start = label === '' ? margin : left
    const line = artifactBlock(doc, 0, () => drawLine(doc, start, doc.y + 15))
    return stackBlocks(
      spaceBlock(doc, 8),
      placeSideBySide(doc, tagBlock(doc, 'P', labelText), line, spaceBlock(doc, 18)),
      spaceBlock(doc, 5),
    )
  }
  const valueText = textBlock(doc, value, { ...body, face: 'strong', left, width, gap: 0 })
  return stackBlocks(tagBlock(doc, 'P', placeSideBySide(doc, labelText, valueText)), spaceBlock(doc, 5))
}

function signatureBlock(doc: PdfDocument, { label, name }: { label: string; name: string | null }): Block {
  const small: TextLook = { face: 'plain', size: 9, color: faint, gap: 0 }
  const dateLeft = margin + column * 0.7
  const line = artifactBlock(doc, 3, () => {
    drawLine(doc, margin, doc.y, column * 0.64)
    drawLine(doc, dateLeft, doc.y, column * 0.3)
    doc.y += 3
  })
  const under = placeSideBySide(
    doc,
    textBlock(doc, name === null ? label : `${label}: ${name}`, { ...small, width: column * 0.64 }),
    textBlock(doc, texts.party.date, { ...small, left: dateLeft, width: column * 0.3 }),
  )
  return stackBlocks(spaceBlock(doc, 30), line, tagBlock(doc, 'P', under), spaceBlock(doc, 4))
}

function sourcesBlock(doc: PdfDocument, sources: readonly string[]): Block {
  const look: TextLook = { face: 'plain', size: 8.5, color: faint, gap: 2 }
  return stackBlocks(
    spaceBlock(doc, 12),
    tagBlock(doc, 'H2', textBlock(doc, texts.sources, { face: 'strong', size: 9.5, color: faint, gap: 2 })),
    ...sources.map((source) => tagBlock(doc, 'P', textBlock(doc, source, look))),
  )
}

const drawLine = (doc: PdfDocument, left: number, y: number, width = margin + column - left) =>
  doc
    .moveTo(left, y)
    .lineTo(left + width, y)
    .lineWidth(0.6)
    .strokeColor(rule)
    .stroke()

/** Marks each page as a draft at the top and names its agreement at the bottom. */
const markAsDraft = (doc: PdfDocument, id: string): void =>
  drawOnAllPages(doc, (page, of) => {
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
