import type { Document } from './pdf-document.ts'
import { drawText, heightOf, type TextLook } from './pdf-fonts.ts'

// What the pages of a paper are made of.

/** Something on a page, drawn below what stands there. */
export type Block = { height: number; draw: () => void }

/** Below each other, and never apart. */
export const stack = (...blocks: readonly Block[]): Block => ({
  height: blocks.reduce((sum, { height }) => sum + height, 0),
  draw: () => {
    for (const { draw } of blocks) draw()
  },
})

/** On one line: the taller one decides how high it is. */
export const beside = (doc: Document, ...blocks: readonly Block[]): Block => {
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

export const text = (doc: Document, words: string, look: TextLook): Block => ({
  height: heightOf(doc, words, look),
  draw: () => drawText(doc, words, look),
})

export const space = (doc: Document, height: number): Block => ({
  height,
  draw: () => {
    doc.y += height
  },
})

/** For screen readers. */
export const tagged = (doc: Document, tag: string, { height, draw }: Block): Block => ({
  height,
  draw: () => {
    doc.addStructure(doc.struct(tag, {}, draw))
  },
})

/** What is drawn for the eye only. */
export const artifact = (doc: Document, height: number, draw: () => void): Block => ({
  height,
  draw: () => {
    doc.markContent('Artifact', { type: 'Layout' })
    draw()
    doc.endMarkedContent()
  },
})
