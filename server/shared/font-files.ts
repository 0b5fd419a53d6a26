import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'

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
