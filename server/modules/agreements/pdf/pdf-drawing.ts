import { drawingTexts } from '@keyturn/contract/agreements/drawing-texts.ts'
import { drawingBox } from '@keyturn/contract/shared/signature-drawing.ts'
import type { Block } from '../../../shared/pdf-blocks.ts'
import type { Document } from '../../../shared/pdf-document.ts'
import { ink, margin } from './pdf-blocks.ts'

const height = 46

/**
 * Renders a drawn signature (R-deals-68) as vector lines, which stay sharp and are what the digest
 * covers.
 */
export const drawnSignature = (doc: Document, drawing: string, name: string): Block => ({
  height,
  draw: () => {
    const draw = () => {
      doc
        .save()
        .translate(margin, doc.y)
        .scale(height / drawingBox.height)
        .path(drawing)
        .lineWidth(6)
        .lineCap('round')
        .lineJoin('round')
        .strokeColor(ink)
        .stroke()
        .restore()
    }
    doc.addStructure(doc.struct('Figure', { alt: drawingTexts.drawn(name) }, draw))
    doc.y += height
  },
})
