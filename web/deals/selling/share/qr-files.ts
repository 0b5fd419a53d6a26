/** The dark squares of a code as one path, in units of one of them, and how many units the picture is wide. */
type Code = { path: string; width: number }

/** On the screen a part of the white edge is the frame's; in a file all of it has to be there. */
const more = 2
/** At least: sharp on a sheet of paper as well. */
const pixels = 1024

/** As it is drawn on the screen: white, then the code. */
function codeIn(drawn: SVGSVGElement): Code {
  const path = [...drawn.querySelectorAll('path')].at(-1)?.getAttribute('d') ?? ''
  return { path, width: drawn.viewBox.baseVal.width }
}

export const svgFileOf = (drawn: SVGSVGElement): Blob =>
  new Blob([svgOf(codeIn(drawn))], { type: 'image/svg+xml' })

function svgOf({ path, width }: Code): string {
  const whole = width + 2 * more
  const box = `${-more} ${-more} ${whole} ${whole}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${pixels}" height="${pixels}" shape-rendering="crispEdges">`,
    `<rect x="${-more}" y="${-more}" width="${whole}" height="${whole}" fill="#fff"/>`,
    `<path d="${path}" fill="#000"/></svg>`,
  ].join('')
}

/** Every square whole pixels wide, so that none is blurred. */
export function pngFileOf(drawn: SVGSVGElement): Promise<Blob | null> {
  const { path, width } = codeIn(drawn)
  const whole = width + 2 * more
  const scale = Math.ceil(pixels / whole)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = whole * scale
  const pen = canvas.getContext('2d')
  if (!pen) return Promise.resolve(null)
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(scale, scale)
  pen.translate(more, more)
  pen.fillStyle = '#000'
  pen.fill(new Path2D(path))
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
