import { expect, test } from 'vitest'
import { caption } from './photo.ts'
import { photoSources, photoWidths } from './photo-files.ts'

test.each([
  [1920, [320, 640, 1280, 1920]],
  [1500, [320, 640, 1280, 1500]],
  [1280, [320, 640, 1280]],
  [640, [320, 640]],
  [300, [300]],
])('offers no width above the photo’s own %i pixels', (width, widths) => {
  expect(photoWidths({ width })).toEqual(widths)
})

test('lists every width of a format', () => {
  const photo = { id: 'ab'.repeat(32), width: 700 }
  const at = `/photos/${photo.id}`
  expect(photoSources(photo, 'avif')).toBe(`${at}/320.avif 320w, ${at}/640.avif 640w, ${at}/700.avif 700w`)
})

test.each([
  ['Odometer', true],
  ['', true],
  ['  ', true],
  ['x'.repeat(120), true],
  ['x'.repeat(121), false],
  ['\u200b', false],
  ['...', false],
  ['Dent \u202ereversed', false],
  ['two\nlines', false],
])('accepts %j as a caption: %s', (text, isValid) => {
  expect(caption.safeParse(text).success).toBe(isValid)
})
