import { buffer } from 'node:stream/consumers'
import type { FlyerPaperSize } from '@keyturn/contract/cars/endpoints.ts'
import { flyerTexts } from '@keyturn/contract/cars/flyer-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { type CarBody, carDrawingFor, roadLine } from '@keyturn/contract/shared/car-drawings.ts'
import { drawQrCode } from '../../../shared/draw-qr-code.ts'
import {
  createPdfDocument,
  equalMargins,
  type PdfDocument,
  paperSizes,
} from '../../../shared/pdf-document.ts'
import { drawText, type TextLook, textHeight } from '../../../shared/pdf-fonts.ts'
import { createQrCode, type QrCode } from '../../../shared/qr-code.ts'

/** Everything on a flyer; drawing looks up nothing else. */
export type Flyer = {
  paper: FlyerPaperSize
  title: string
  price: string
  facts: readonly { label: string; value: string }[]
  remark: string | null
  body: CarBody | null
  /** A JPEG from the picture store. */
  photo: Uint8Array | null
  link: string
  /** The seller's name and contact, if they want to print them. */
  seller: string | null
}
type Box = { left: number; top: number; width: number; height: number }

const { sheet } = flyerTexts
const { how } = carTexts.public
const sizes = { letter: paperSizes.Letter, a4: paperSizes.A4 } satisfies Record<FlyerPaperSize, unknown>
const margin = 44
/** Black, white and two grays stay readable on any printer and copier. */
const ink = '#000000'
const faint = '#444444'
const shade = '#eeeeee'
const codeSize = 156
const gap = 16
/** Wider than the quiet zone that the QR code needs. */
const codeGap = 28

/** Draws one page: the car readable in passing, and the code scannable at arm's length. */
export async function drawFlyer(flyer: Flyer): Promise<Buffer> {
  const code = await createQrCode(flyer.link)
  const size = sizes[flyer.paper]
  const [width, height] = size
  const doc = openDocument(flyer, size)
  const column = { left: margin, width: width - 2 * margin }
  const title = fitText(doc, flyer.title, { sizes: [32, 28, 24, 20, 16, 13], lines: 2, width: column.width })

  drawTagged(doc, 'H1', sheet.title, { face: 'strong', size: 46, gap: 0 })
  drawTagged(doc, 'P', flyer.title, { ...title, gap: 12 })
  // The content below is fixed to the bottom of the page; the picture gets the remaining height.
  const below = heightBelow(doc, flyer, column.width)
  const top = doc.y
  const available = Math.max(0, height - margin - below - top)
  const picture = { ...column, top, height: Math.min(available, column.width * 0.75) }
  // Only the longest names of a listing leave too little height for a picture.
  if (available > codeSize / 2) drawPicture(doc, flyer, picture)
  doc.y = top + picture.height + (available - picture.height) / 2 + gap
  drawFacts(doc, flyer, column)
  doc.y = height - margin - footerHeight(doc, column.width)
  drawFooter(doc, flyer, code, column)
  doc.end()
  return buffer(doc)
}

const openDocument = ({ title }: Flyer, size: readonly [number, number]): PdfDocument =>
  // PDFKit starts a new page at the lower margin, but a flyer has one page.
  createPdfDocument({
    size,
    margins: { ...equalMargins(margin), bottom: 0 },
    title: `${sheet.title}: ${title}`,
  })

type FitOptions = { sizes: readonly [number, ...number[]]; lines: number; width: number }

/**
 * Uses the largest of these sizes at which the text fits into `lines` lines, otherwise the
 * smallest.
 */
function fitText(doc: PdfDocument, text: string, { sizes, lines, width }: FitOptions): TextLook {
  const looks = sizes.map((size): TextLook => ({ face: 'strong', size, width }))
  const fits = (look: TextLook) => textHeight(doc, text, look) < look.size * (lines + 0.5) * 1.3
  return looks.find(fits) ?? { face: 'strong', size: Math.min(...sizes), width }
}

const sellerLook = (doc: PdfDocument, seller: string, width: number) =>
  fitText(doc, seller, { sizes: [17, 14, 11, 9], lines: 2, width })

function drawPicture(doc: PdfDocument, { photo, body, title }: Flyer, box: Box): void {
  const { left, top, width, height } = box
  const alt = photo ? sheet.photo(title) : sheet.drawing(title)
  const draw = () => {
    doc.save()
    doc.roundedRect(left, top, width, height, 8).clip()
    if (photo)
      doc.image(Buffer.from(photo), left, top, { cover: [width, height], align: 'center', valign: 'center' })
    else drawCar(doc, body, box)
    doc.restore()
  }
  doc.addStructure(doc.struct('Figure', { alt }, draw))
}

/** The car drawing of the web pages, in outlines (R-cars-21). */
function drawCar(doc: PdfDocument, body: CarBody | null, { left, top, width, height }: Box): void {
  const { outline, glass, seams, wheels } = carDrawingFor(body)
  const scale = Math.min((width * 0.86) / 144, (height * 0.86) / 56)
  doc.rect(left, top, width, height).fill(shade)
  doc.translate(left + (width - 144 * scale) / 2, top + (height - 56 * scale) / 2).scale(scale)
  doc.lineCap('round').lineJoin('round').strokeColor(ink)
  doc.path(roadLine).lineWidth(1).stroke()
  doc.path(outline).lineWidth(1.5).fillAndStroke('#ffffff', ink)
  doc.path(glass).lineWidth(1.25).fillAndStroke(shade, ink)
  doc.path(seams).lineWidth(1.25).stroke()
  for (const x of wheels) {
    doc.circle(x, 43, 8.5).lineWidth(1.4).fillAndStroke('#ffffff', ink)
    doc.circle(x, 43, 3.5).stroke()
  }
}

type Column = { left: number; width: number }
const priceLook: TextLook = { face: 'strong', size: 44, gap: 6 }
const labelLook: TextLook = { face: 'plain', size: 11, color: faint, gap: 0 }
const valueLook: TextLook = { face: 'strong', size: 17, gap: 0 }
const remarkLook: TextLook = { face: 'plain', size: 11, gap: 0 }
const stepLook: TextLook = { face: 'plain', size: 12.5, gap: 5 }

function drawFacts(doc: PdfDocument, { price, facts, remark, seller }: Flyer, { left, width }: Column): void {
  drawTagged(doc, 'P', price, { ...priceLook, left, width })
  const each = width / facts.length
  const top = doc.y
  let bottom = top
  for (const [index, { label, value }] of facts.entries()) {
    doc.y = top
    const place = { left: left + index * each, width: each - gap }
    drawTagged(doc, 'P', label, { ...labelLook, ...place })
    drawTagged(doc, 'P', value, { ...valueLook, ...place })
    bottom = Math.max(bottom, doc.y)
  }
  doc.y = bottom
  if (seller) {
    doc.y += 8
    drawTagged(doc, 'P', sheet.seller, { ...labelLook, left, width })
    drawTagged(doc, 'P', seller, { ...sellerLook(doc, seller, width), left })
  }
  if (remark) {
    doc.y += 8
    drawTagged(doc, 'P', remark, { ...remarkLook, left, width })
  }
}

/** Draws the QR code and, beside it, the next steps of a sale. */
function drawFooter(doc: PdfDocument, { link }: Flyer, code: QrCode, { left, width }: Column): void {
  const top = doc.y
  doc.markContent('Artifact', { type: 'Layout' })
  doc
    .moveTo(left, top)
    .lineTo(left + width, top)
    .lineWidth(1)
    .strokeColor(ink)
    .stroke()
  doc.endMarkedContent()
  const square = { left, top: top + 1.5 * gap, size: codeSize }
  drawQrCode(doc, code, square, { link, alt: sheet.code, ink })
  const textColumn = { left: left + codeSize + codeGap, width: width - codeSize - codeGap }
  doc.y = top + gap
  drawTagged(doc, 'P', sheet.scan, { face: 'strong', size: 17, gap: 8, ...textColumn })
  for (const [index, step] of how.steps.entries())
    drawTagged(doc, 'P', `${index + 1}. ${step}`, { ...stepLook, ...textColumn })
  drawTagged(doc, 'P', new URL(link).host, { ...labelLook, ...textColumn })
}

function footerHeight(doc: PdfDocument, width: number): number {
  const textColumn = { width: width - codeSize - codeGap }
  const sideHeight =
    textHeight(doc, sheet.scan, { face: 'strong', size: 17, gap: 8, ...textColumn }) +
    how.steps.reduce(
      (sum, step, index) => sum + textHeight(doc, `${index + 1}. ${step}`, { ...stepLook, ...textColumn }),
      0,
    ) +
    textHeight(doc, 'keyturn', { ...labelLook, ...textColumn })
  return 1.5 * gap + Math.max(codeSize, sideHeight)
}

function heightBelow(doc: PdfDocument, { price, facts, remark, seller }: Flyer, width: number): number {
  const each = width / facts.length - gap
  const measure = (text: string, look: TextLook, textWidth = width) =>
    textHeight(doc, text, { ...look, width: textWidth })
  const tallest = Math.max(
    ...facts.map(({ label, value }) => measure(label, labelLook, each) + measure(value, valueLook, each)),
  )
  return (
    gap +
    measure(price, priceLook) +
    tallest +
    (seller ? 8 + measure(sheet.seller, labelLook) + measure(seller, sellerLook(doc, seller, width)) : 0) +
    (remark ? 8 + measure(remark, remarkLook) : 0) +
    gap +
    footerHeight(doc, width)
  )
}

/** Draws text with structure for screen readers. */
function drawTagged(doc: PdfDocument, tag: string, text: string, look: TextLook): void {
  doc.addStructure(doc.struct(tag, {}, () => drawText(doc, text, { color: ink, ...look })))
}
