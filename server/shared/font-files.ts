import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import type { Font } from 'fontkit'
import { createFont } from './create-font.ts'
import { openVariableFont } from './variable-font.ts'

// A font file is named by its path. The path of a variable font is followed by `#` and a weight.

/** Opens a font for one document: fontkit remembers what a glyph stood for when it was first used. */
export function openFont(file: string): Font {
  const [path = '', weight] = file.split('#')
  const font = (weight ? openVariableFont(path, Number(weight)) : createFont(readFont(path))) as OpenedFont
  // A mark without a place on a letter is no error in a font, but one in fontkit 2.0.4 (issue 367).
  const positions = font._layoutEngine.engine?.GPOSProcessor
  const apply = positions?.applyLookup.bind(positions)
  if (positions && apply)
    positions.applyLookup = (...lookup) => {
      try {
        return apply(...lookup)
      } catch (error) {
        if (error instanceof TypeError) return false
        throw error
      }
    }
  return font
}

type OpenedFont = Font & {
  _layoutEngine: { engine?: { GPOSProcessor?: { applyLookup: (type: number, table: unknown) => boolean } } }
}

const characters = new Map<string, ReadonlySet<number>>()

/** Returns the code points that a font file has glyphs for, cached. */
export function readCharacters(file: string): ReadonlySet<number> {
  const [path = ''] = file.split('#')
  const known = characters.get(path) ?? new Set((createFont(readFont(path)) as Font).characterSet)
  characters.set(path, known)
  return known
}

const unpacked = new Map<string, Buffer>()

/**
 * Unpacks a web font (WOFF 1.0 of the W3C) and caches it. PDFKit reads packed fonts too, but
 * unpacks a table in JavaScript for each letter, which took more than half of a PDF's time.
 */
export function readFont(file: string): Buffer {
  const known = unpacked.get(file) ?? unpack(readFileSync(file))
  unpacked.set(file, known)
  return known
}

const headerBytes = { packed: 44, unpacked: 12 }
const entryBytes = { packed: 20, unpacked: 16 }

function unpack(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') return woff
  const count = woff.readUInt16BE(12)
  const font = Buffer.alloc(woff.readUInt32BE(16))
  woff.copy(font, 0, 4, 8)
  const fittingCount = 2 ** Math.floor(Math.log2(count))
  font.writeUInt16BE(count, 4)
  font.writeUInt16BE(fittingCount * 16, 6)
  font.writeUInt16BE(Math.log2(fittingCount), 8)
  font.writeUInt16BE((count - fittingCount) * 16, 10)
  let end = headerBytes.unpacked + count * entryBytes.unpacked
  for (let i = 0; i < count; i++) {
    const from = headerBytes.packed + i * entryBytes.packed
    const [offset, packedLength, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at)) as [
      number,
      number,
      number,
    ]
    const to = headerBytes.unpacked + i * entryBytes.unpacked
    woff.copy(font, to, from, from + 4)
    woff.copy(font, to + 4, from + 16, from + 20)
    font.writeUInt32BE(end, to + 8)
    font.writeUInt32BE(length, to + 12)
    const table = woff.subarray(offset, offset + packedLength)
    font.set(packedLength < length ? inflateSync(table) : table, end)
    // Each table begins at a multiple of four bytes.
    end += Math.ceil(length / 4) * 4
  }
  return font
}
