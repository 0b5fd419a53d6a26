import { expect, test } from 'vitest'
import { drawing, drawingBox, drawingLimits, encodeStrokes, parseStrokes } from './signature-drawing.ts'

const pad = { width: 300, height: 100 }

const at = (x: number, y: number) => ({ x, y })

test('stores strokes in whole units of the box and reads them back unchanged', () => {
  const path = encodeStrokes([[at(0, 100), at(150, 50), at(300, 0)], [at(10.2, 10.3)]], pad)
  expect(path).toBe('M0 200l300 -100 300 -100M20 21l0 0')
  const dot = [at(20, 21), at(20, 21)]
  expect(parseStrokes(path ?? '')).toEqual([[at(0, 200), at(300, 100), at(600, 0)], dot])
})

test('clamps points outside the pad to its edge', () => {
  expect(encodeStrokes([[at(-50, 500), at(900, -3)]], pad)).toBe('M0 200l600 -200')
})

test('returns null when nothing was drawn', () => {
  expect([encodeStrokes([], pad), encodeStrokes([[]], pad)]).toEqual([null, null])
})

// R-deals-68
test('thins a page full of scribbles until it fits and preserves the ends', () => {
  const scribble = Array.from({ length: 20_000 }, (_, i) =>
    at(150 + 149 * Math.sin(i / 7), 50 + 49 * Math.cos(i / 5)),
  )
  const path = encodeStrokes([scribble], pad) ?? ''
  expect(path.length).toBeLessThanOrEqual(drawingLimits.characters)
  expect(drawing.safeParse(path).success).toBe(true)
  const [stroke = []] = parseStrokes(path)
  expect(stroke.length).toBeGreaterThan(300)
  expect(stroke[0]).toEqual({ x: 300, y: 198 })
})

// R-deals-68
test.each([
  ['a point beyond the right edge', `M${drawingBox.width}  0l1 0`],
  ['the last point beyond the edge', `M${drawingBox.width} 0l1 0`],
  ['a point below the box', `M0 ${drawingBox.height}l0 1`],
  ['a point above the box', 'M0 0l0 -1'],
  ['a point before the box', 'M0 0l-1 0'],
  ['half a point', 'M0 0l1'],
  ['a fraction', 'M0 0l1.5 2'],
  ['another command', 'M0 0l1 1z'],
  ['something before it', ' M0 0l1 1'],
  ['no points', ''],
  ['too many points', `M0 0l${Array(1500).fill('0 0').join(' ')}`],
  ['too many characters', `M0 0l${Array(700).fill('100 100 -100 -100').join(' ')}`],
])('rejects a drawing with %s', (_, path) => {
  expect(drawing.safeParse(path).success).toBe(false)
})

test.each([
  ['a line across the box', `M0 0l${drawingBox.width} ${drawingBox.height}`],
  ['the maximum number of points', `M0 0l${Array(1499).fill('0 0').join(' ')}`],
  ['the maximum number of characters', longestPath()],
])('accepts a drawing with %s', (_, path) => {
  expect(drawing.safeParse(path).success).toBe(true)
})

function longestPath() {
  const path = `M0 0l${'100 100 -100 -100 '.repeat(443)}0 0`
  return path + ' 100 100 -100 -100'.slice(0, drawingLimits.characters - path.length)
}
