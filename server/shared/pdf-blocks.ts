import type { PdfDocument } from './pdf-document.ts'
import { drawText, type TextLook, textHeight } from './pdf-fonts.ts'

/** A piece of a page, drawn below the previous one; height in points. */
export type Block = { height: number; draw: () => void }

/** Stacks blocks that must stay on one page. */
export const stackBlocks = (...blocks: readonly Block[]): Block => ({
  height: blocks.reduce((sum, { height }) => sum + height, 0),
  draw: () => {
    for (const { draw } of blocks) draw()
  },
})

/** Places blocks next to each other; the tallest one decides the height. */
export const placeSideBySide = (doc: PdfDocument, ...blocks: readonly Block[]): Block => {
  const height = Math.max(...blocks.map((block) => block.height))
  return {
    height,
    draw: () => {
      const top = doc.y
      const feet = blocks.map(({ draw }) => {
        doc.y = top
        draw()
        return doc.y
      })
      doc.y = Math.max(...feet)
    },
  }
}

export const textBlock = (doc: PdfDocument, content: string, look: TextLook): Block => ({
  height: textHeight(doc, content, look),
  draw: () => drawText(doc, content, look),
})

export const spaceBlock = (doc: PdfDocument, height: number): Block => ({
  height,
  draw: () => {
    doc.y += height
  },
})

/** Tags a block for screen readers. */
export const tagBlock = (doc: PdfDocument, tag: string, { height, draw }: Block): Block => ({
  height,
  draw: () => {
    doc.addStructure(doc.struct(tag, {}, draw))
  },
})

/**
 * Tags rows as one table with a row header and a value each, and returns a block for each row, so
 * that the table can continue on the next page. All rows must be drawn, in order.
 */
export function tableRowBlocks(doc: PdfDocument, rows: readonly { header: Block; value: Block }[]): Block[] {
  const table = doc.struct('Table')
  return rows.map(({ header, value }, index) => {
    const row = doc.struct('TR')
    const cell = (tag: 'TH' | 'TD', { height, draw }: Block): Block => ({
      height,
      draw: () => {
        row.add(doc.struct(tag, tag === 'TH' ? rowHeader : {}, draw))
      },
    })
    const cells = placeSideBySide(doc, cell('TH', header), cell('TD', value))
    const draw = () => {
      if (index === 0) doc.addStructure(table)
      table.add(row)
      cells.draw()
      row.end()
      if (index === rows.length - 1) table.end()
    }
    return { height: cells.height, draw }
  })
}

// The types of PDFKit lack `scope`.
const rowHeader = { scope: 'Row' } as PDFKit.Mixins.StructureElementOptions & { scope: string }

/** Draws content that screen readers skip. */
export const artifactBlock = (doc: PdfDocument, height: number, draw: () => void): Block => ({
  height,
  draw: () => {
    doc.markContent('Artifact', { type: 'Layout' })
    draw()
    doc.endMarkedContent()
  },
})
