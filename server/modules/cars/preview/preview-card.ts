import { type CarBody, paintOf } from '@keyturn/contract/shared/car-illustrations.ts'
import type { PreviewColors } from '@keyturn/contract/shared/pages.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { photoWidths } from '@keyturn/contract/shared/photo-files.ts'
import type { Font } from 'fontkit'
import { openFont } from '../../../shared/font-files.ts'
import { chooseFonts, joinRuns, orderRuns } from '../../../shared/text-layout.ts'
import { drawIllustration } from '../illustrations/draw-illustration.ts'

/** Everything a preview shows; the cache key is computed from it. */
export type PreviewCard = {
  body: CarBody | null
  color: string
  title: string
  price: string
  colors: PreviewColors
  /** The listing's first photo; without one, the card shows its illustration. */
  photo: Pick<Photo, 'id' | 'width' | 'height'> | null
}

export type PreviewJob = { card: PreviewCard; photo: Uint8Array | null }

export const previewSize = { width: 1200, height: 630 }
const margin = 64

/** Returns the width of the smallest file that fills the picture, otherwise of the largest. */
export function previewPhotoWidth(photo: NonNullable<PreviewCard['photo']>): number {
  const fills = (width: number) =>
    width >= previewSize.width && (width * photo.height) / photo.width >= previewSize.height
  return photoWidths(photo).find(fills) ?? photo.width
}

/** Draws the text over a photo, darkened behind the text so that it is readable on any photo. */
export function drawPreviewOverPhoto({ title, price, colors }: PreviewCard): string {
  const white = '#fff'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${previewSize.width}" height="${previewSize.height}">`,
    '<defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1">',
    ...shades.map(([at, opacity]) => `<stop offset="${at}" stop-color="#000" stop-opacity="${opacity}"/>`),
    '</linearGradient></defs>',
    `<rect width="${previewSize.width}" height="${previewSize.height}" fill="url(#shade)"/>`,
    `<rect x="40" y="36" width="206" height="60" rx="30" fill="${colors.ground}"/>`,
    `<g transform="translate(54 46) scale(1.25)">${logoOf(colors)}</g>`,
    textLine('Keyturn', { x: 106, y: 77, size: 32, color: colors.text }),
    textLine(title, { x: margin, y: 530, size: 60, color: white }),
    textLine(price, { x: margin, y: 594, size: 54, color: white }),
    '</svg>',
  ].join('')
}

/**
 * Opacity of the shade by height. From an opacity of 0.54, white text on a white photo has a
 * contrast of 4.5:1; the gradient reaches that above the text.
 */
const shades = [
  [0.52, 0],
  [0.66, 0.34],
  [0.75, 0.58],
  [1, 0.84],
] as const

/**
 * The link preview of a car, as SVG. Text is drawn as outlines of bundled fonts, so the server
 * needs no installed fonts, and user input never becomes markup.
 */
export function drawPreview({ body, color, title, price, colors }: PreviewCard): string {
  const { ground, text, brand } = colors
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${previewSize.width}" height="${previewSize.height}">`,
    `<rect width="${previewSize.width}" height="${previewSize.height}" fill="${ground}"/>`,
    `<rect width="${previewSize.width}" height="412" fill="${colors.shell}"/>`,
    drawIllustration(body ?? 'sedan', paintOf(color), 'x="220" y="76" width="760" height="317" '),
    `<g transform="translate(${margin} 44) scale(1.5)">${logoOf(colors)}</g>`,
    textLine('Keyturn', { x: margin + 62, y: 82, size: 40, color: text }),
    textLine(title, { x: margin, y: 500, size: 60, color: text }),
    textLine(price, { x: margin, y: 582, size: 56, color: brand }),
    '</svg>',
  ].join('')
}

/** The product's logo, as in the page header. */
const logoOf = ({ brand, paper }: PreviewColors) =>
  `<rect width="32" height="32" rx="9" fill="${brand}"/><path d="M15.3 13.2a5 5 0 1 0-2.1 2.1M12.3 12.3 24.5 24.5m-3.2-3.2 2.9-2.9m-6.1-.3 2.2-2.2" fill="none" stroke="${paper}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>`

type Look = { x: number; y: number; size: number; color: string }

/** Draws one line of bold text, shrunk and then truncated to fit. */
function textLine(text: string, { x, y, size: maxSize, color }: Look): string {
  const lineWidth = previewSize.width - 2 * margin
  const shown = truncate(lineWidth / minFontSize, chooseFonts(text, 'strong'))
  const fitting = Math.min(maxSize, lineWidth / widthOf(shown))
  let at = 0
  const runs = outlinesOf(shown).map((run) => {
    const drawn = `<g transform="translate(${at} 0) scale(${1 / run.unitsPerEm} ${-1 / run.unitsPerEm})">${run.outlines}</g>`
    at += run.width
    return drawn
  })
  return `<g transform="translate(${x} ${y}) scale(${fitting})" fill="${color}">${runs.join('')}</g>`
}

const minFontSize = 34
const ellipsis = chooseFonts('…', 'strong')

/** Cuts to the estimated number of letters, and then letter by letter. */
function truncate(ems: number, letters: Letters): Letters {
  const width = widthOf(letters)
  if (width <= ems) return letters
  let kept = letters.slice(0, Math.ceil((letters.length * ems) / width))
  while (kept.length > 0 && widthOf([...kept, ...ellipsis]) > ems) kept = kept.slice(0, -1)
  return [...kept, ...ellipsis]
}

type Letters = ReturnType<typeof chooseFonts>

const widthOf = (letters: Letters) => outlinesOf(letters).reduce((sum, { width }) => sum + width, 0)

/** Outlines from left to right, by font file. Widths are in ems. */
const outlinesOf = (letters: Letters) =>
  orderRuns(joinRuns(letters)).map(({ font: file, text }) => {
    const font = fontOf(file)
    const { glyphs, positions } = font.layout(text)
    let at = 0
    const outlines = glyphs.map((glyph, i) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[i] ?? {}
      const path = `<path transform="translate(${at + xOffset} ${yOffset})" d="${glyph.path.toSVG()}"/>`
      at += xAdvance
      return path
    })
    return { outlines: outlines.join(''), width: at / font.unitsPerEm, unitsPerEm: font.unitsPerEm }
  })

const fonts = new Map<string, Font>()
function fontOf(file: string): Font {
  const font = fonts.get(file) ?? openFont(file)
  fonts.set(file, font)
  return font
}
