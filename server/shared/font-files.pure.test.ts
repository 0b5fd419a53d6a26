import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { readFont } from './font-files.ts'
import { sansFont, scriptFont } from './typefaces.ts'

const files = [
  sansFont('latin', 'plain'),
  sansFont('latin-ext', 'strong'),
  sansFont('cyrillic', 'plain'),
  sansFont('greek', 'strong'),
  sansFont('vietnamese', 'plain'),
  scriptFont('latin'),
]

test.each(files.map((file) => [file.split('/').at(-1), file]))(
  'renders the same PDF from the unpacked %s as from the packed one',
  async (_, file = '') => {
    expect(readFont(file).readUInt32BE(0)).not.toBe(0x774f4646)
    const drawn = await drawnWith(readFont(file))
    expect(drawn.equals(await drawnWith(file))).toBe(true)
  },
)

/** Letters of each alphabet: a letter that the font lacks is drawn as a box. */
function drawnWith(font: string | Buffer): Promise<Buffer> {
  const at = new Date('2026-11-21T10:07:00.000Z')
  const document = new PDFDocument({ font: '', info: { CreationDate: at, ModDate: at } })
  document
    .registerFont('font', font)
    .font('font')
    .text('AV Tofu, Łódź, Дмитрий, Νίκος, Tiếng Việt, 1–2 ½ fi ﬁ')
  document.end()
  return buffer(document)
}
