import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { RenderedPage } from '@keyturn/contract/shared/pages.ts'

/** Renders and compresses a page, with a cache of the last results. `render` must be pure. */
export function createPackedPageCache<Given>(
  render: (given: Given) => RenderedPage,
  max = 300,
): (given: Given) => Buffer {
  const cache = new Map<string, Buffer>()
  return (given) => {
    const key = JSON.stringify(given)
    const packed = cache.get(key) ?? compressPage(render(given))
    // Keeps the map in LRU order.
    cache.delete(key)
    cache.set(key, packed)
    for (const oldest of cache.keys()) if (cache.size > max) cache.delete(oldest)
    return packed
  }
}

/**
 * Compresses a page into one gzip stream (RFC 1952). Its beginning is compressed once: deflate
 * blocks that end on a byte boundary can be concatenated.
 */
export function compressPage({ beginning, rest }: RenderedPage): Buffer {
  const first = packBeginning(beginning)
  const own = Buffer.from(rest)
  const end = Buffer.alloc(8)
  end.writeUInt32LE(checksumOf(own, first.check), 0)
  end.writeUInt32LE(first.bytes + own.length, 4)
  return Buffer.concat([begin, first.packed, deflateRawSync(own, quick), end])
}

/** Header: deflate, no name, no time, unknown system. */
const begin = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** For empty input, zlib returns 0 instead of `before`. */
const checksumOf = (bytes: Buffer, before = 0): number => (bytes.length > 0 ? crc32(bytes, before) : before)

/** The rest is small: higher levels save few bytes, and a larger window takes time to clear. */
const quick = { level: 1, windowBits: 13, memLevel: 6 }

type Beginning = { packed: Buffer; bytes: number; check: number }

/** Two per kind of page: signed in and not. */
const beginnings = new Map<string, Beginning>()

function packBeginning(beginning: string): Beginning {
  const known = beginnings.get(beginning)
  if (known) return known
  const bytes = Buffer.from(beginning)
  const packed = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const packedBeginning = { packed, bytes: bytes.length, check: checksumOf(bytes) }
  beginnings.set(beginning, packedBeginning)
  return packedBeginning
}
