import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { Rendered } from '@keyturn/contract/shared/pages.ts'

/** Packs what `render` makes of the data; of the same data that is what was packed lately, because nothing else goes into it. */
export function packLately<Given>(render: (given: Given) => Rendered, most = 300): (given: Given) => Buffer {
  const lately = new Map<string, Buffer>()
  return (given) => {
    const key = JSON.stringify(given)
    const packed = lately.get(key) ?? packPage(render(given))
    // The one asked for last stands last, and the first goes.
    lately.delete(key)
    lately.set(key, packed)
    for (const oldest of lately.keys()) if (lately.size > most) lately.delete(oldest)
    return packed
  }
}

/**
 * A page as one gzip stream (RFC 1952). How it begins is packed once: blocks of deflate that end on a byte can stand behind
 * each other.
 */
export function packPage({ beginning, rest }: Rendered): Buffer {
  const first = packedOf(beginning)
  const own = Buffer.from(rest)
  const end = Buffer.alloc(8)
  end.writeUInt32LE(checkOf(own, first.check), 0)
  end.writeUInt32LE(first.bytes + own.length, 4)
  return Buffer.concat([begin, first.packed, deflateRawSync(own, quick), end])
}

/** Deflate, no name and no time, of any system. */
const begin = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Over no bytes zlib begins again with 0, whatever stood before. */
const checkOf = (bytes: Buffer, before = 0): number => (bytes.length > 0 ? crc32(bytes, before) : before)

/** The rest of a page is so small that higher levels gain a few bytes, and that most of the usual memory would only be cleared. */
const quick = { level: 1, windowBits: 13, memLevel: 6 }

type Beginning = { packed: Buffer; bytes: number; check: number }

/** Two of each kind of page, for who is known and who is not. */
const beginnings = new Map<string, Beginning>()

function packedOf(beginning: string): Beginning {
  const known = beginnings.get(beginning)
  if (known) return known
  const bytes = Buffer.from(beginning)
  const packed = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const made = { packed, bytes: bytes.length, check: checkOf(bytes) }
  beginnings.set(beginning, made)
  return made
}
