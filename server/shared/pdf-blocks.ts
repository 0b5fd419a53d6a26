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

/** Draws content that screen readers skip. */
export const artifactBlock = (doc: PdfDocument, height: number, draw: () => void): Block => ({
  height,
  draw: () => {
    doc.markContent('Artifact', { type: 'Layout' })
    draw()
    doc.endMarkedContent()
  },
})
