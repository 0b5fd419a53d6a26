import { describe, expect, test } from 'vitest'
import { webCryptography } from '../shared/crypto/cryptography.ts'
import { checkSeal, readSealedPdf } from './sealed-pdf.ts'

// A minimal sealed file, built by hand so that each test can forge one part. Server tests cover
// complete files.

const cms = '3003020101'
const defaultParts = {
  objects: {
    1: '<<\n/Type /Catalog\n/AF [2 0 R 3 0 R]\n/AcroForm 4 0 R\n>>',
    2: '<<\n/F (agreement-package.json)\n/EF <<\n/F 5 0 R\n>>\n>>',
    3: '<<\n/F (agreement-proof.json)\n/EF <<\n/F 6 0 R\n>>\n>>',
    4: '<<\n/SigFlags 3\n/Fields [7 0 R]\n>>',
    5: '<<\n/Length 11\n>>\nstream\n{"price":9}\nendstream',
    6: '<<\n/Length 2\n>>\nstream\n{}\nendstream',
    7: '<<\n/FT /Sig\n/V 8 0 R\n>>',
    8: `<<\n/Type /Sig\n/ByteRange [0 ********** ********** **********]\n/Contents <${cms}0000>\n>>`,
    9: '<<\n/Note (nobody asks for this one)\n>>',
  } as Record<number, string>,
  trailer: 'trailer\n<<\n/Size 10\n/Root 1 0 R\n>>',
  count: 10,
  end: '',
  /** The byte range that the seal excludes. */
  hole: (file: string) => {
    const before = file.indexOf('/Contents <') + '/Contents '.length
    return [before, file.indexOf('>', before) + 1] as const
  },
}

function aFile(change: Partial<typeof defaultParts> = {}): Uint8Array {
  const { objects, trailer, count, end, hole } = { ...defaultParts, ...change }
  let file = '%PDF-1.7\n'
  const rows = ['0000000000 65535 f \n']
  for (const [number, words] of Object.entries(objects)) {
    rows.push(`${String(file.length).padStart(10, '0')} 00000 n \n`)
    file += `${number} 0 obj\n${words}\nendobj\n`
  }
  file += `xref\n0 ${count}\n${rows.join('')}${trailer}\nstartxref\n${file.length}\n%%EOF\n${end}`
  const [before, after] = hole(file)
  const numbers = [before, after, file.length - after]
  for (const each of numbers) file = file.replace('**********', String(each).padStart(10, '0'))
  return Uint8Array.from(Buffer.from(file, 'latin1'))
}
const withObject = (number: number, change: (words: string) => string) =>
  aFile({ objects: { ...defaultParts.objects, [number]: change(defaultParts.objects[number] ?? '') } })
const swapped = (number: number, from: string, to: string) =>
  withObject(number, (words) => words.replace(from, to))
const withLine = (line: string) => defaultParts.trailer.replace('/Size 10', `/Size 10\n${line}`)
/** A hole from the last occurrence of `words` to `more` bytes past the next `>`. */
const holeAt =
  (words: string, more = 1) =>
  (file: string) => {
    const before = file.lastIndexOf(words)
    return [before, file.indexOf('>', before) + more] as const
  }
const textOf = (bytes: Uint8Array | null | undefined) => bytes && Buffer.from(bytes).toString('latin1')

// R-deals-106
test.each([
  ['nothing', '', null],
  ['bytes', 'x', 'data'],
  ['a line break', '\n', 'data'],
  ['an update', '\n9 0 obj\n<<>>\nendobj\nxref\nstartxref\n9\n%%EOF', 'revision'],
  ['a signature', '\n/ByteRange [0 1 2 3]\nstartxref\n9\n%%EOF', 'signature'],
  ['another sealed file', textOf(swapped(5, '9', '1')), 'signature'],
])('reads the sealed part alone when %s follows it', (_, more, kind) => {
  const file = aFile()
  const read = readSealedPdf(Uint8Array.from([...file, ...Buffer.from(more ?? '', 'latin1')]))
  expect(read).toEqual({ ...readSealedPdf(file), added: kind && { bytes: more?.length, kind } })
  expect(read?.length).toBe(file.length)
})

// R-deals-106
test('finds the sealed part although typed text contains the mark of an end', () => {
  const file = withObject(9, (words) => words.replace('nobody', '%%EOF'.repeat(200)))
  expect(readSealedPdf(file)).toMatchObject({ length: file.length, added: null })
  expect(readSealedPdf(Buffer.concat([Buffer.from('%PDF-1.7\n%%EOF\n'), file]))).toBeNull()
})

test('reads a sealed file with its attachments, its seal and all the bytes it covers', async () => {
  const file = aFile()
  const read = readSealedPdf(file)
  expect(textOf(read?.package)).toBe('{"price":9}')
  expect(textOf(read?.proof)).toBe('{}')
  expect(Buffer.from(read?.cms ?? []).toString('hex')).toBe(cms)
  const [before, after] = read?.covered ?? []
  expect(`${textOf(before)}<${cms}0000>${textOf(after)}`).toBe(textOf(file))
})

// R-deals-70
describe('returns null', () => {
  test.each<[string, Uint8Array]>([
    ['for text', Buffer.from('an agreement')],
    ['for a file without a table', Buffer.from('%PDF-1.7\nstartxref\n0\n%%EOF\n')],
    ['for a table that is shorter than declared', aFile({ count: 11 })],
    ['for a table that is longer than declared', aFile({ count: 9 })],
    ['for a file with an incremental update', aFile({ trailer: withLine('/Prev 9') })],
    ['for a file with trailing bytes', aFile({ end: '% and more\n' })],
    ['for a file without a root', aFile({ trailer: 'trailer\n<<\n/Size 10\n>>' })],
    ['for a root that is not in the table', aFile({ trailer: 'trailer\n<<\n/Root 12 0 R\n>>' })],
    ['for a root that is another object', aFile({ trailer: 'trailer\n<<\n/Root 0 0 R\n>>' })],
    ['for a file without a form', swapped(1, '/AcroForm', '/Form')],
    ['for a field without a seal', swapped(7, '/V 8', '/W 8')],
    ['for a seal that covers nothing', swapped(8, '/ByteRange', '/Range')],
    ['for a seal that is too long', swapped(8, '/Type', `/Note (${'x'.repeat(100_000)})\n/Type`)],
    ['for a seal in uppercase hex', swapped(8, `<${cms}`, `<AB${cms}`)],
    ['for a seal with an odd number of hex digits', swapped(8, `<${cms}`, `<0${cms}`)],
    ['for a seal with a character that is no hex digit', swapped(8, `<${cms}`, `<gg${cms}`)],
    ['for an empty seal', swapped(8, `<${cms}0000>`, '<>')],
    ['for a seal that excludes a byte after it', aFile({ hole: holeAt(`<${cms}`, 2) })],
    [
      'for a copy of the seal elsewhere',
      aFile({ trailer: withLine(`/Comment <${cms}0000>`), hole: holeAt(`<${cms}`) }),
    ],
    [
      'for an excluded range that is not the seal',
      aFile({ trailer: withLine('/Contents <00>'), hole: holeAt('<00>') }),
    ],
  ])('%s', (_, file) => {
    expect(readSealedPdf(file)).toBeNull()
  })

  test('for a seal that covers less than the whole file', () => {
    const file = Buffer.from(aFile())
    expect(readSealedPdf(file)).not.toBeNull()
    const [length = ''] = /\d+(?=\]\n\/Contents)/.exec(file.toString('latin1')) ?? []
    const less = String(Number(length) - 2).padStart(length.length, '0')
    expect(readSealedPdf(Buffer.from(file.toString('latin1').replace(length, less), 'latin1'))).toBeNull()
  })
})

// R-deals-70
test.each([
  ['without a signature', '<1f0100>'],
  ['that ends too early', '<3005020101>'],
  ['with trailing bytes', `<${cms}0001>`],
])('finds a seal %s invalid', async (_, contents) => {
  const read = readSealedPdf(swapped(8, `<${cms}0000>`, contents))
  if (!read) throw new Error('Not a sealed file')
  expect(read.cms).toHaveLength(0)
  expect(await checkSeal(read, webCryptography)).toMatchObject({ valid: false, fingerprint: null })
})

describe('returns no attachment', () => {
  test.each([
    ['that is not listed', 1, '/AF [2 0 R 3 0 R]', '/AF [3 0 R]'],
    ['with another name', 2, 'agreement-package', 'agreement'],
    ['without a reference to its file', 2, '/F 5 0 R', '/G 5 0 R'],
    ['with a reference to a missing file', 2, '/F 5 0 R', '/F 55 0 R'],
    ['that is compressed', 5, '/Length', '/Filter /FlateDecode\n/Length'],
    ['without a length', 5, '/Length', '/Size'],
    ['that is longer than declared', 5, '/Length 11', '/Length 10'],
    ['that is shorter than declared', 5, '/Length 11', '/Length 12'],
    ['that is not a stream', 5, '\nstream\n', '\n'],
  ])('%s', (_, number, from, to) => {
    const read = readSealedPdf(swapped(number, from, to))
    expect(read).not.toBeNull()
    expect(read?.package).toBeNull()
    expect(textOf(read?.proof)).toBe('{}')
  })
})
