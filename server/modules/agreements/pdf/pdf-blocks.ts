import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { artifact, type Block, sideBySide, space, stack, tagged, text } from '../../../shared/pdf-blocks.ts'
import type { Document } from '../../../shared/pdf-document.ts'
import { setPlainFont, type TextLook } from '../../../shared/pdf-fonts.ts'
import { markPages } from '../../../shared/pdf-pages.ts'

// Layout of the pages of a signed paper.

export const margin = 64
export const ink = '#1c1f23'
export const faint = '#5b626b'
const rule = '#c9ced4'

export const columnOf = (doc: Document): number => doc.page.width - 2 * margin

export const paragraph = (doc: Document, words: string, look: Partial<TextLook> = {}): Block =>
  tagged(doc, 'P', text(doc, words, { face: 'plain', size: 10.5, color: ink, gap: 7, ...look }))

export const heading = (doc: Document, words: string): Block =>
  tagged(doc, 'H2', text(doc, words, { face: 'strong', size: 11.5, color: ink, gap: 3 }))

/** Keeps a title on the page of its first paragraph. */
export function section(
  doc: Document,
  { title, paragraphs }: { title: string; paragraphs: readonly string[] },
  look: Partial<TextLook> = {},
): Block[] {
  const [first = '', ...rest] = paragraphs
  return [
    stack(space(doc, 5), heading(doc, title), paragraph(doc, first, look)),
    ...rest.map((words) => paragraph(doc, words, look)),
  ]
}

/** A rule across the column, `below` points under the previous block. */
export const line = (doc: Document, below: number): Block =>
  artifact(doc, 0, () =>
    doc
      .moveTo(margin, doc.y + below)
      .lineTo(margin + columnOf(doc), doc.y + below)
      .lineWidth(0.5)
      .strokeColor(rule)
      .stroke(),
  )

const labelWidth = 130
export function factLine(doc: Document, label: string, value: string, look: Partial<TextLook> = {}): Block {
  // A signature is larger than its label.
  const size = Math.min(look.size ?? 10.5, 10.5)
  const labelText = text(doc, label, { face: 'plain', size, color: faint, width: labelWidth })
  const left = margin + labelWidth
  const width = columnOf(doc) - labelWidth
  const valueText = text(doc, value, { face: 'strong', size, color: ink, left, width, ...look })
  return stack(line(doc, -3), tagged(doc, 'P', sideBySide(doc, labelText, valueText)), space(doc, 6))
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

export const numberPages = (doc: Document, name: string): void =>
  markPages(doc, (page, of) => {
    setPlainFont(doc).fontSize(8.5).fillColor(faint)
    for (const [words, align] of [
      [name, 'left'],
      [texts.page(page, of), 'right'],
    ] as const)
      doc.text(words, margin, doc.page.height - 40, { width: columnOf(doc), align, lineBreak: false })
  })
