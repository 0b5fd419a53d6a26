import { z } from 'zod'

// A drawn signature: strokes on a box of whole units, written as an SVG path such as `M12 80l3 4 5
// -2`. A stroke has an absolute start and relative points, so screen and PDF can draw it unchanged.

export const drawingBox = { width: 600, height: 200 } as const
export const drawingLimits = { points: 1500, characters: 8000 } as const

export type Point = { x: number; y: number }
export type Stroke = readonly Point[]

const aStroke = String.raw`M(\d{1,3}) (\d{1,3})l(-?\d{1,3} -?\d{1,3}(?: -?\d{1,3} -?\d{1,3})*)`
const wholeDrawing = new RegExp(`^(?:${aStroke})+$`)

/** Must be strict: pages and PDFs insert the path unchanged. */
export const drawing = z
  .string()
  .max(drawingLimits.characters)
  .regex(wholeDrawing)
  .refine((path) => {
    const points = parseStrokes(path).flat()
    return points.length <= drawingLimits.points && points.every(isInBox)
  })

const isInBox = ({ x, y }: Point) => x >= 0 && x <= drawingBox.width && y >= 0 && y <= drawingBox.height

export function parseStrokes(path: string): Point[][] {
  return [...path.matchAll(new RegExp(aStroke, 'g'))].map(([, x, y, steps = '']) => {
    const stroke = [{ x: Number(x), y: Number(y) }]
    const numbers = steps.split(' ').map(Number)
    for (let at = 0; at < numbers.length; at += 2) {
      const last = stroke.at(-1) ?? { x: 0, y: 0 }
      stroke.push({ x: last.x + (numbers[at] ?? 0), y: last.y + (numbers[at + 1] ?? 0) })
    }
    return stroke
  })
}

/** Converts strokes from a pad of this size; null when nothing was drawn or it cannot fit. */
export function encodeStrokes(
  strokes: readonly Stroke[],
  pad: { width: number; height: number },
): string | null {
  const scaled = strokes.map((stroke) => withoutClosePoints(stroke.map((point) => inBox(point, pad))))
  for (let every = 1; every <= drawingLimits.points; every *= 2) {
    const path = scaled.map((stroke) => pathOfStroke(stroke.filter(isKept(every)))).join('')
    if (drawing.safeParse(path).success) return path
  }
  return null
}

/** Rounds and clamps a point: a captured pointer can leave the pad. */
const inBox = ({ x, y }: Point, { width, height }: { width: number; height: number }): Point => ({
  x: within((x / width) * drawingBox.width, drawingBox.width),
  y: within((y / height) * drawingBox.height, drawingBox.height),
})
const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)))

/** Drops points too close together to be visible. */
function withoutClosePoints(stroke: Stroke): Point[] {
  const kept: Point[] = []
  for (const [at, point] of stroke.entries()) {
    const last = kept.at(-1)
    const isEnd = at === stroke.length - 1
    if (!last || isEnd || Math.hypot(point.x - last.x, point.y - last.y) >= 2) kept.push(point)
  }
  return kept
}

/** The last point of a stroke is always preserved. */
const isKept = (every: number) => (_: Point, at: number, stroke: Stroke) =>
  at % every === 0 || at === stroke.length - 1

/** A dot is a stroke of zero length. */
function pathOfStroke([first, ...rest]: Point[]): string {
  if (!first) return ''
  let before = first
  const steps = (rest.length > 0 ? rest : [first]).map((point) => {
    const step = `${point.x - before.x} ${point.y - before.y}`
    before = point
    return step
  })
  return `M${first.x} ${first.y}l${steps.join(' ')}`
}
