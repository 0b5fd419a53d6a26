import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect } from 'vitest'

// Reads PDFs made by this project.

/** Whether the programs of Poppler are installed, which read PDFs independently of us. */
export const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined

/** Runs a program of Poppler on a PDF. Returns its output without marks of direction. */
export function runPoppler(program: 'pdftotext' | 'pdffonts', pdf: Buffer, ...options: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'poppler-'))
  try {
    const path = join(folder, 'paper.pdf')
    writeFileSync(path, pdf)
    const output = program === 'pdftotext' ? ['-'] : []
    const { stdout, stderr } = spawnSync(program, [...options, path, ...output], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.replace(/[\u202a-\u202e]/g, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Extracts the text in the body typeface, without the script of the signatures. */
export function readPdfText(pdf: Buffer): string {
  expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7')
  const file = pdf.toString('latin1')
  const lettersIn = fontsIn(pdf)
  const lines: string[] = []
  for (const content of readPdfStreams(pdf)) {
    let letters: Letters | undefined
    for (const [, named, shown = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
      const known = letters
      if (named) letters = lettersIn(new RegExp(`/${named} (\\d+) 0 R`).exec(file)?.[1])
      else if (known)
        lines.push([...shown.matchAll(/<(\w*)>/g)].map(([, hex = '']) => wordOf(hex, known)).join(''))
    }
  }
  return lines.join(' ').replace(/\s+/g, ' ')
}

type Letters = readonly string[]

/** Maps the glyphs of upright fonts to text through the font's ToUnicode map. */
function fontsIn(pdf: Buffer) {
  const file = pdf.toString('latin1')
  return (number: string | undefined): Letters | undefined => {
    const font = new RegExp(`\\n${number} 0 obj\\n<<([^]*?)>>\\nendobj`).exec(file)?.[1] ?? ''
    expect(font, 'every font is embedded').toMatch(/\/Subtype \/Type0/)
    if (font.includes('Caveat')) return undefined
    expect(font).toMatch(/SourceSans3|Noto/)
    const map = /\/ToUnicode (\d+) 0 R/.exec(font)?.[1]
    const ranges = inflated(streamAt(pdf, pdf.indexOf(`\n${map} 0 obj\n`)))
    return [...ranges.matchAll(/> \[(.*?)\]/g)].flatMap(([, entries = '']) =>
      [...entries.matchAll(/<([\w ]*)>/g)].map(([, hex = '']) =>
        String.fromCodePoint(...hex.split(' ').map((each) => Number.parseInt(each, 16))),
      ),
    )
  }
}

const wordOf = (hex: string, letters: Letters) =>
  (hex.match(/.{4}/g) ?? []).map((glyph) => letters[Number.parseInt(glyph, 16)]).join('')

export function readPdfStreams(pdf: Buffer): string[] {
  const streams: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1))
    if (pdf.subarray(at - 3, at).toString() !== 'end') streams.push(inflated(streamAt(pdf, at)))
  return streams
}

function streamAt(pdf: Buffer, at: number): Buffer {
  const start = pdf.indexOf('stream\n', at) + 7
  return pdf.subarray(start, pdf.indexOf('endstream', start))
}

function inflated(stream: Buffer): string {
  try {
    return inflateSync(stream).toString('latin1')
  } catch {
    return ''
  }
}
