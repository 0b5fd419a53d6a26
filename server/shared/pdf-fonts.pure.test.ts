import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { namesInScripts } from '../../tests/support/papers/names-in-scripts.ts'
import { hasPoppler, readPdfStreams, runPoppler } from '../../tests/support/papers/pdf.ts'
import { createPdfDocument, equalMargins, paperSizes } from './pdf-document.ts'
import { drawText, textHeight } from './pdf-fonts.ts'
import type { Face } from './text-layout.ts'

/** Poppler reads a page from right to left if most of its letters are. */
const english = 'These words are in English like most of a paper, so that it is read from left to right.'

// R-deals-102
test.runIf(hasPoppler).each(Object.entries(namesInScripts))(
  'draws a name with %s in embedded fonts, from which it can be copied',
  async (_, name) => {
    const lines = [name, `Seller: ${name}`, `Account of ${name}, since May`, english]
    const pdf = await drawLines(...lines)
    const typed = lines.map((line) => line.normalize('NFC'))
    expect(runPoppler('pdftotext', pdf).normalize('NFC').trim().split(/\n+/)).toEqual([
      ...typed,
      name.normalize('NFC'),
      name.normalize('NFC'),
    ])
    for (const font of runPoppler('pdffonts', pdf).trim().split('\n').slice(2))
      expect(font).toMatch(/CID TrueType +Identity-H +yes yes yes/)
    expect(readGlyphs(pdf)).not.toContain('0000')
  },
)

test.runIf(hasPoppler)(
  'draws a letter that no font has as a replacement, and keeps it in the text',
  async () => {
    const pdf = await drawLines('ᠮᠣᠩᠭᠣᠯ (Mongol)', 'Bell \u0007')
    expect(runPoppler('pdftotext', pdf).split(/\n+/).slice(0, 2)).toEqual(['ᠮᠣᠩᠭᠣᠯ (Mongol)', 'Bell \u0007'])
    expect(runPoppler('pdffonts', pdf)).toContain('NotoSans-Regular')
  },
)

test('draws the same PDF each time, and a Latin text in its one font alone', async () => {
  const names = Object.values(namesInScripts)
  expect((await drawLines(...names)).equals(await drawLines(...names))).toBe(true)
  const latin = (await drawLines('Selma Sanders')).toString('latin1')
  expect(new Set(latin.match(/[A-Z]{6}\+\w+-[\w-]+/g))).toHaveLength(3)
})

test('measures the height that a text takes, in lines of the given width', async () => {
  const doc = createPdfDocument({ size: paperSizes.Letter, margins: equalMargins(50), title: 'Heights' })
  const texts = [...Object.values(namesInScripts), 'שלום '.repeat(60), '山'.repeat(90), 'က'.repeat(200)]
  for (const text of texts) {
    const look = { face: 'plain', size: 10, gap: 3, width: 200 } as const
    const [height, top] = [textHeight(doc, text, look), 60]
    doc.y = top
    drawText(doc, text, look)
    expect(Math.abs(doc.y - top - height), text).toBeLessThan(4)
  }
  expect(textHeight(doc, '山'.repeat(90), { face: 'plain', size: 10, width: 200 })).toBeGreaterThan(4 * 12)
})

/** The glyphs on the pages; number 0 is that of a missing one. */
const readGlyphs = (pdf: Buffer): string[] =>
  readPdfStreams(pdf).flatMap((content) =>
    [...content.matchAll(/\[(.*)\] TJ/g)].flatMap(([, shown = '']) =>
      [...shown.matchAll(/<(\w+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []),
    ),
  )

async function drawLines(...lines: string[]): Promise<Buffer> {
  const at = new Date('2026-11-21T10:07:00.000Z')
  const doc = createPdfDocument({ size: paperSizes.Letter, margins: equalMargins(50), title: 'Names', at })
  const draw = (line: string, face: Face) =>
    doc.addStructure(doc.struct('P', {}, () => drawText(doc, line, { face, size: 11, gap: 6 })))
  for (const line of lines) draw(line, 'plain')
  draw(lines[0] ?? '', 'strong')
  draw(lines[0] ?? '', 'script')
  doc.end()
  return buffer(doc)
}
