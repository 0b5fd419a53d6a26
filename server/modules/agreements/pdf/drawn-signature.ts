import { drawingTexts } from '@keyturn/contract/agreements/drawing-texts.ts'
import { drawingBox } from '@keyturn/contract/shared/signature-drawing.ts'
import type { Block } from '../../../shared/pdf-blocks.ts'
import type { PdfDocument } from '../../../shared/pdf-document.ts'
import { inkColor, pageMargin } from './agreement-pdf-blocks.ts'

const height = 46

/** Renders a drawn signature as the vector lines that the digest covers (R-deals-68). */
export const drawnSignature = (doc: PdfDocument, drawing: string, name: string): Block => ({
  height,
  draw: () => {
    const draw = () => {
      doc
        .save()
        .translate(pageMargin, doc.y)
        .scale(height / drawingBox.height)
        .path(drawing)
        .lineWidth(6)
        .lineCap('round')
        .lineJoin('round')
        .strokeColor(inkColor)
        .stroke()
        .restore()
    }
    doc.addStructure(doc.struct('Figure', { alt: drawingTexts.drawn(name) }, draw))
    doc.y += height
  },
})
