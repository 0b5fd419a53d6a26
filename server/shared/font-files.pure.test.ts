import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { unpackedFont } from './font-files.ts'
import { sans, script } from './typefaces.ts'

const files = [
  sans('latin', 'plain'),
  sans('latin-ext', 'strong'),
  sans('cyrillic', 'plain'),
  sans('greek', 'strong'),
  sans('vietnamese', 'plain'),
  script('latin'),
]

test.each(files.map((file) => [file.split('/').at(-1), file]))(
  '%s is to a paper what its packed file is',
  async (_, file = '') => {
    expect(unpackedFont(file).readUInt32BE(0)).not.toBe(0x774f4646)
    const drawn = await drawnWith(unpackedFont(file))
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
