import { readFileSync } from 'node:fs'
import type { Font, Path } from 'fontkit'
import { createFont } from './create-font.ts'

/**
 * Opens a variable font in WOFF 2.0 at one weight. fontkit 2.0.4 reads such a font, but its
 * `getVariation` does not, and its subsets cannot store the outlines. Outlines that are composed of
 * others would be misplaced; the fonts in use have none.
 */
export function openVariableFont(path: string, weight: number): Font {
  const bytes = readFileSync(path)
  const stored = createFont(bytes) as unknown as VariableFont
  const font = new stored.constructor(new stored.stream.constructor(bytes), [weight])
  const getGlyph = font.getGlyph.bind(font)
  // fontkit unpacks all outlines of the file with the first glyph.
  getGlyph(0)
  const varied = new Set<number>()
  font._tables.loca = { version: 1, offsets: new Array(font.numGlyphs + 1).fill(0) }
  const name = font.postscriptName.replace(/-\w+$/, weight > 400 ? '-Bold' : '-Regular')
  const createSubset = font.createSubset.bind(font)
  return Object.defineProperties(font, {
    // PDFKit tells fonts apart by name.
    postscriptName: { value: name },
    getGlyph: {
      value: (id: number, codePoints?: number[]) => {
        if (!varied.has(id)) varyOutline(font, id)
        varied.add(id)
        return getGlyph(id, codePoints)
      },
    },
    createSubset: {
      value: () => Object.assign(createSubset(), { glyphEncoder: { encodeSimple: encodeOutline } }),
    },
  })
}

function varyOutline(font: VariableFont, id: number): void {
  const { points = [] } = font._transformedGlyphs[id] ?? {}
  const last = points.at(-1)
  if (!last) return
  // Four more points stand for the glyph's sides; the table of advance widths varies those.
  points.push(...Array.from({ length: 4 }, () => last.copy()))
  font._variationProcessor.transformPoints(id, points)
  points.splice(-4)
}

type Stream = { constructor: new (bytes: Buffer) => Stream }
type VariableFont = Font & {
  stream: Stream
  _tables: Record<string, unknown>
  _transformedGlyphs: { points?: OutlinePoint[] }[]
  _variationProcessor: { transformPoints: (id: number, points: OutlinePoint[]) => void }
  constructor: new (stream: Stream, weights: number[]) => VariableFont
}

type OutlinePoint = { copy: () => OutlinePoint }
type Point = { x: number; y: number; isOnCurve: boolean }

/** Encodes an outline for the `glyf` table, in its simplest form. */
function encodeOutline({ commands }: Path): Buffer {
  const contours = readContours(commands)
  const points = contours.flat()
  if (points.length === 0) return Buffer.alloc(0)
  const head = Buffer.alloc(10 + 2 * contours.length + 2)
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  for (const [index, value] of [
    contours.length,
    Math.min(...xs),
    Math.min(...ys),
    Math.max(...xs),
    Math.max(...ys),
  ].entries())
    head.writeInt16BE(value, index * 2)
  let end = -1
  for (const [index, { length }] of contours.entries()) {
    end += length
    head.writeUInt16BE(end, 10 + index * 2)
  }
  const flags = Buffer.from(points.map(({ isOnCurve }) => Number(isOnCurve)))
  return Buffer.concat([head, flags, encodeSteps(xs), encodeSteps(ys)])
}

function readContours(commands: Path['commands']): Point[][] {
  const contours: Point[][] = []
  for (const { command, args } of commands) {
    if (command === 'moveTo') contours.push([])
    const contour = contours.at(-1) ?? []
    for (let at = 0; at < args.length; at += 2) {
      const [x, y] = [Math.round(args[at] ?? 0), Math.round(args[at + 1] ?? 0)]
      contour.push({ x, y, isOnCurve: at === args.length - 2 })
    }
  }
  return contours
}

/** Each coordinate as its distance from the previous one. */
function encodeSteps(values: readonly number[]): Buffer {
  const steps = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries())
    steps.writeInt16BE(value - (values[index - 1] ?? 0), index * 2)
  return steps
}
