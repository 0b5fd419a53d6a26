import { hash } from 'node:crypto'
import {
  carBodies,
  illustrationAddress,
  paintOf,
  paints,
} from '@keyturn/contract/shared/car-illustrations.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawIllustration } from './draw-illustration.ts'

// R-cars-21
test('draws every body type in every color, in less than 4 kB and without anything to load', () => {
  const drawn = carBodies.flatMap((body) => paints.map((paint) => drawIllustration(body, paint)))
  expect(new Set(drawn).size).toBe(10 * paints.length)
  // After a change, increment `illustrationVersion`, because browsers cache the old ones forever.
  expect(hash('sha256', drawn.join('')).slice(0, 16)).toBe('9c2131e07eee4fa5')
  for (const svg of drawn) {
    expect(Buffer.byteLength(svg)).toBeLessThan(4000)
    expect(svg).not.toMatch(/undefined|NaN|script|data:/)
    const used = [...svg.matchAll(/(?:#|\bhref="#)([a-z])(?=["(){}])/g)].map(([, id]) => id)
    for (const id of used) expect(svg).toContain(`id="${id}"`)
  }
})

// R-cars-21
test.each(['white', 'silver', 'black'] as const)('keeps a %s car visible on both grounds', async (paint) => {
  for (const ground of ['#FAF9F6', '#262C2A']) {
    const { data, info } = await sharp(Buffer.from(drawIllustration('sedan', paint)))
      .resize({ width: 360 })
      .flatten({ background: ground })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const back = data[0] ?? 0
    const differing = data.filter((value) => Math.abs(value - back) > 12).length
    // The car covers about a third of its picture.
    expect(differing / (info.width * info.height)).toBeGreaterThan(0.3)
  }
})

test.each([
  ['Blue', 'blue'],
  ['midnight blue metallic', 'blue'],
  ['Charcoal Grey', 'gray'],
  ['Steel Blue', 'blue'],
  ['Blue Gray', 'gray'],
  ['Red with black roof', 'red'],
  ['White/Black', 'white'],
  ['Champagne', 'beige'],
  ['Celestial Frost', 'neutral'],
  ['Bluetooth', 'neutral'],
  ['', 'neutral'],
])('shows the color %j as %s', (color, paint) => {
  expect(paintOf(color)).toBe(paint)
})

test('names an illustration by its paint, so that a typed color never becomes part of an address', () => {
  expect(illustrationAddress(null, '"><img src=x> green')).toBe('/illustrations/sedan-green-1.svg')
  for (const paint of paints) expect(paintOf(paint)).toBe(paint)
})
