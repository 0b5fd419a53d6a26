import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import {
  artifactBlock,
  type Block,
  spaceBlock,
  stackBlocks,
  tableRowBlocks,
  tagBlock,
  textBlock,
} from '../../../shared/pdf-blocks.ts'
import type { PdfDocument } from '../../../shared/pdf-document.ts'
import { setPlainFont, type TextLook } from '../../../shared/pdf-fonts.ts'
import { drawOnAllPages } from '../../../shared/pdf-pages.ts'

// Layout of the pages of a signed paper.

export const pageMargin = 64
export const inkColor = '#1c1f23'
export const faintColor = '#5b626b'
const rule = '#c9ced4'

export const columnWidth = (doc: PdfDocument): number => doc.page.width - 2 * pageMargin

export const paragraphBlock = (doc: PdfDocument, words: string, look: Partial<TextLook> = {}): Block =>
  tagBlock(doc, 'P', textBlock(doc, words, { face: 'plain', size: 10.5, color: inkColor, gap: 7, ...look }))

export const headingBlock = (doc: PdfDocument, words: string): Block =>
  tagBlock(doc, 'H2', textBlock(doc, words, { face: 'strong', size: 11.5, color: inkColor, gap: 3 }))

/** Keeps a title on the page of its first paragraph. */
export function sectionBlocks(
  doc: PdfDocument,
  { title, paragraphs }: { title: string; paragraphs: readonly string[] },
  look: Partial<TextLook> = {},
): Block[] {
  const [first = '', ...rest] = paragraphs
  return [
    stackBlocks(spaceBlock(doc, 5), headingBlock(doc, title), paragraphBlock(doc, first, look)),
    ...rest.map((words) => paragraphBlock(doc, words, look)),
  ]
}

/** A rule across the column, `below` points under the previous block. */
export const ruleBlock = (doc: PdfDocument, below: number): Block =>
  artifactBlock(doc, 0, () =>
    doc
      .moveTo(pageMargin, doc.y + below)
      .lineTo(pageMargin + columnWidth(doc), doc.y + below)
      .lineWidth(0.5)
      .strokeColor(rule)
      .stroke(),
  )

const labelWidth = 130
type Fact = { label: string; value: string; look?: Partial<TextLook> }

/** A table of labels and values, one block for each row. */
export function factBlocks(doc: PdfDocument, facts: readonly Fact[]): Block[] {
  const rows = facts.map(({ label, value, look = {} }) => {
    // A signature is larger than its label.
    const size = Math.min(look.size ?? 10.5, 10.5)
    const left = pageMargin + labelWidth
    const width = columnWidth(doc) - labelWidth
    return {
      header: textBlock(doc, label, { face: 'plain', size, color: faintColor, width: labelWidth - 8 }),
      value: textBlock(doc, value, { face: 'strong', size, color: inkColor, left, width, ...look }),
    }
  })
  return tableRowBlocks(doc, rows).map((row) => stackBlocks(ruleBlock(doc, -3), row, spaceBlock(doc, 6)))
}

/** In UTC and to the second, so that the output does not depend on the machine or the reader. */
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
const shortMoment = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})
export const formatShortMoment = (iso: string): string => shortMoment.format(new Date(iso))
export const formatMoment = (iso: string): string => moment.format(new Date(iso))

/** `mark`: a line at the top of each page. */
export const numberPages = (doc: PdfDocument, name: string, mark = ''): void =>
  drawOnAllPages(doc, (page, of) => {
    const place = { width: columnWidth(doc), lineBreak: false }
    if (mark) setPlainFont(doc).fontSize(9.5).fillColor(inkColor).text(mark, pageMargin, 32, place)
    setPlainFont(doc).fontSize(8.5).fillColor(faintColor)
    for (const [words, align] of [
      [name, 'left'],
      [texts.page(page, of), 'right'],
    ] as const)
      doc.text(words, pageMargin, doc.page.height - 40, { ...place, align })
  })
