import { type QrCode, quietZoneModules } from './qr-code.ts'

type Square = { left: number; top: number; size: number }

/** Draws a QR code as vectors, which are also a link on a screen. */
export function drawQrCode(
  doc: PDFKit.PDFDocument,
  { size, squares }: QrCode,
  place: Square,
  { link, alt, ink }: { link: string; alt: string; ink: string },
): void {
  // The code's quiet zone overlaps the page's white space, so that its dark part aligns with the
  // text above.
  const unit = place.size / (size - 2 * quietZoneModules)
  const draw = () => {
    for (const { x, y, width } of squares)
      doc.rect(
        place.left + (x - quietZoneModules) * unit,
        place.top + (y - quietZoneModules) * unit,
        width * unit,
        unit,
      )
    doc.fill(ink)
  }
  doc.addStructure(doc.struct('Figure', { alt }, draw))
  const linked = doc.struct('Link', { alt })
  doc.addStructure(linked)
  doc.link(place.left, place.top, place.size, place.size, link, {
    Contents: Object(alt),
    structParent: linked,
  } as PDFKit.Mixins.AnnotationOption)
  // The link is ended while its page is current, because a link belongs to a page.
  linked.end()
}
