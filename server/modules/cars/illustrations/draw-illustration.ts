import { type CarBody, illustrationSize, type Paint } from '@keyturn/contract/shared/car-illustrations.ts'
import { type CarShape, carShapes, roadY } from './car-shapes.ts'

/** From the roof down: highlight, base, low shade and sill. */
const shadesOf: Record<Paint, readonly [string, string, string, string]> = {
  white: ['#ffffff', '#eff1f2', '#c6ccd0', '#6d757b'],
  silver: ['#f4f6f7', '#bfc5c9', '#888f94', '#40464a'],
  gray: ['#b9bfc4', '#757c82', '#4a4f54', '#212528'],
  black: ['#9aa1a7', '#363b40', '#1b1e21', '#08090a'],
  blue: ['#8fb4ea', '#2c5fae', '#183c7a', '#0a1a38'],
  navy: ['#8296bd', '#22376a', '#142347', '#080f20'],
  teal: ['#84c5c6', '#1e7a80', '#104e53', '#062528'],
  red: ['#ec8177', '#b9252a', '#7c1219', '#33060a'],
  burgundy: ['#c4808a', '#711c2b', '#4a0f1a', '#1f060b'],
  green: ['#86b89e', '#24694a', '#154432', '#082018'],
  brown: ['#c3a189', '#6f4a34', '#462d1f', '#1f130c'],
  beige: ['#faf3e6', '#d6c8ac', '#a09072', '#4c4232'],
  gold: ['#f2e0b0', '#bb9a54', '#826630', '#3b2d13'],
  yellow: ['#fff2b0', '#f0c02a', '#bb8c0c', '#584104'],
  orange: ['#ffc594', '#df7024', '#a04812', '#481e06'],
  purple: ['#b8a0d4', '#5d4089', '#3b2760', '#1a102c'],
  neutral: ['#dfe4e1', '#9fa8a3', '#6f7974', '#363d3a'],
}

/** Radius and width of the ring whose dashes are the spokes. */
const rims: Record<CarShape['rim'], { radius: number; width: number; dashes: string }> = {
  five: { radius: 30, width: 45, dashes: '7 6 7 17.7' },
  six: { radius: 30, width: 45, dashes: '17 14.42' },
  steel: { radius: 36, width: 13, dashes: '15 13.27' },
}
/** The radius for which the wheel is drawn. */
const wheelRadius = 67

/** Height of what is shown below the wheels. */
const belowRoad = 20

/**
 * Draws a car as SVG of less than 4 kB, on a transparent background (R-cars-21). `position` are
 * attributes that place it in a larger picture.
 */
export function drawIllustration(body: CarBody, paint: Paint, position = ''): string {
  const shape = carShapes[body]
  const [highlight, base, low, sill] = shadesOf[paint]
  const [left, width] = shape.view
  const [rear, front] = shape.wheels
  const [upper, middle, lower] = shape.shades
  const [lightTo, shadeFrom] = shape.edgeLight ?? ['.3', '.6']
  const height = Math.round((width * illustrationSize.height) / illustrationSize.width)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${position}viewBox="${left} ${roadY + belowRoad - height} ${width} ${height}" fill="none">`,
    downward('a', [
      [0, highlight],
      [upper, mix(highlight, base, 0.6)],
      [middle, base],
      [lower, low],
      // The road reflects light onto the lower side.
      ['.84', mix(low, base, 0.55)],
      [1, sill],
    ]),
    `<linearGradient id="e">${fade(0, '.36')}${fade('.08', 0)}${fade('.88', 0)}${fade(1, '.34')}</linearGradient>`,
    downward('g', [
      [0, '#71808a'],
      ['.8', '#171c20'],
    ]),
    downward('r', [
      [0, '#fff'],
      [1, '#7c8388'],
    ]),
    downward('v', [
      [lightTo, '#fff'],
      [shadeFrom, '#000'],
    ]),
    downward('t', [
      [0, '#f0483f'],
      ['.6', '#8d0e14'],
    ]),
    `<radialGradient id="s">${fade(0, '.7')}${fade(1, 0)}</radialGradient>`,
    '<filter id="f"><feGaussianBlur stdDeviation="6"/></filter>',
    `<clipPath id="c"><path id="o" d="${shape.outline}"/></clipPath>`,
    `<clipPath id="d"><path id="q" d="${shape.glass}"/></clipPath>`,
    // Without fill and stroke, these two are invisible where they are defined.
    `<path id="l" d="${shape.shoulder}"/><path id="m" d="${shape.seams}"/>`,
    `<ellipse cx="${(rear + front) / 2}" cy="413" rx="${Math.round(width * 0.48)}" ry="26" fill="url(#s)"/>`,
    shape.behind,
    `<use href="#o" fill="url(#a)" stroke="${low}"/>`,
    ...bodywork(shape),
    shape.hasTrim && '<use href="#q" stroke="#b8bec2" stroke-width="7"/>',
    ...windows(shape),
    `<path d="${shape.handles}" stroke="${highlight}" stroke-width="4"/>`,
    `<path fill="${low}" stroke="${sill}" d="${shape.mirror}"/>`,
    shape.front,
    wheels(shape),
    '</svg>',
  ]
    .filter(Boolean)
    .join('')
}

/** Soft light and shade, lights, cladding and seams, all cut to the outline. */
const bodywork = (shape: CarShape) => [
  '<g clip-path="url(#c)"><g filter="url(#f)" stroke="#fff" stroke-width="10">',
  '<use href="#o" stroke="url(#v)" stroke-width="16" opacity=".45"/>',
  '<use href="#l" opacity=".5"/><use href="#l" y="15" stroke="#000" opacity=".45"/>',
  `<path d="${shape.swage}" opacity=".25"/>`,
  `</g><use href="#o" fill="url(#e)"/><path fill="#111" d="${shape.cladding}"/>`,
  `<g stroke="#233" stroke-width="2"><path fill="url(#t)" d="${shape.tailLight}"/><path fill="url(#r)" d="${shape.headlight}"/></g>`,
  shape.edgeGlass && `<path fill="url(#g)" d="${shape.edgeGlass}"/>`,
  '<g stroke-width="2"><use href="#m" x="2" y="1" stroke="#fff" opacity=".2"/><use href="#m" stroke="#000" opacity=".55"/></g></g>',
]

const windows = ({ seats, reflections, pillars }: CarShape) => [
  '<use href="#q" fill="url(#g)" stroke="#111" stroke-width="5"/><g clip-path="url(#d)">',
  seats && `<path d="${seats}" stroke="#111" stroke-width="22" stroke-linecap="round" opacity=".6"/>`,
  `<path d="${reflections}" fill="#fff" opacity=".17"/>`,
  pillars && `<path d="${pillars}" stroke="#111" stroke-width="8"/>`,
  '</g>',
]

function wheels({ wheels: [rear, front], radius, rim }: CarShape): string {
  const scale = Number((radius / wheelRadius).toFixed(2))
  const ring = rims[rim]
  return [
    `<g id="w" transform="translate(${rear} ${roadY - radius})${scale === 1 ? '' : `scale(${scale})`}">`,
    '<path fill="#000" d="M-72 24A76 76 0 1 1 72 24z"/>',
    '<circle r="60" fill="#111" stroke="#282a2c" stroke-width="14"/><circle r="30" fill="#555"/>',
    `<g stroke="url(#r)"><circle r="${ring.radius}" stroke-width="${ring.width}" stroke-dasharray="${ring.dashes}"/>`,
    '<circle r="53" stroke-width="4"/></g><circle r="9" fill="#333"/></g>',
    `<use href="#w" x="${front - rear}"/>`,
  ].join('')
}

const offset = (at: string | number) => (at === 0 ? '' : ` offset="${at}"`)
const fade = (at: string | number, opacity: string | number) =>
  `<stop${offset(at)} stop-opacity="${opacity}"/>`
const downward = (id: string, stops: readonly (readonly [at: string | number, color: string])[]) =>
  `<linearGradient id="${id}" x2="0" y2="1">${stops.map(([at, color]) => `<stop${offset(at)} stop-color="${color}"/>`).join('')}</linearGradient>`

/** Mixes two colors in the form #rrggbb. */
function mix(from: string, to: string, share: number): string {
  const [one, other] = [from, to].map((color) =>
    [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
  )
  const parts = one?.map((part, at) => Math.round(part + ((other?.[at] ?? part) - part) * share)) ?? []
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
