import { codeEdge, type QrCode } from './qr-code.ts'

type Square = { left: number; top: number; size: number }

/** A QR code in lines of its own; for who reads the paper on a screen it is a link as well. */
export function drawQrCode(
  doc: PDFKit.PDFDocument,
  { size, squares }: QrCode,
  place: Square,
  { link, alt, ink }: { link: string; alt: string; ink: string },
): void {
  // The white edge lies in the white around it, so that the code stands in line with what is above it.
  const unit = place.size / (size - 2 * codeEdge)
  const draw = () => {
    for (const { x, y, width } of squares)
      doc.rect(place.left + (x - codeEdge) * unit, place.top + (y - codeEdge) * unit, width * unit, unit)
    doc.fill(ink)
  }
  doc.addStructure(doc.struct('Figure', { alt }, draw))
  const linked = doc.struct('Link', { alt })
  doc.addStructure(linked)
  doc.link(place.left, place.top, place.size, place.size, link, {
    Contents: Object(alt),
    structParent: linked,
  } as PDFKit.Mixins.AnnotationOption)
  // Written while its page is the present one: a link says on which page it lies.
  linked.end()
}
