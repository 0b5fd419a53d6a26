import { constants, crc32, deflateRawSync } from 'node:zlib'

/**
 * Packs what `render` makes of the data; of the same data that is what was packed lately, because nothing else goes into
 * it. `still`: a part that is in every page, letter for letter.
 */
export function packLately<Given>(
  render: (given: Given) => string,
  still: string,
  most = 300,
): (given: Given) => Buffer {
  const lately = new Map<string, Buffer>()
  return (given) => {
    const key = JSON.stringify(given)
    const packed = lately.get(key) ?? packAround(still, render(given))
    // The one asked for last stands last, and the first goes.
    lately.delete(key)
    lately.set(key, packed)
    for (const oldest of lately.keys()) if (lately.size > most) lately.delete(oldest)
    return packed
  }
}

/**
 * A page as one gzip stream (RFC 1952). The largest part of it, its style sheet, is the same in each, and is packed once:
 * blocks of deflate that end on a byte can stand behind each other.
 */
export function packAround(still: string, html: string): Buffer {
  const at = still ? html.indexOf(still) : -1
  const parts =
    at < 0
      ? [packLast(html)]
      : [packPart(html.slice(0, at)), packedOnce(still), packLast(html.slice(at + still.length))]
  const end = Buffer.alloc(8)
  end.writeUInt32LE(checkOf(parts), 0)
  end.writeUInt32LE(
    parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
    4,
  )
  return Buffer.concat([begin, ...parts.map(({ packed }) => packed), end])
}

/** Deflate, no name and no time, of any system. */
const begin = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Over no bytes zlib begins again with 0, whatever stood before. */
const checkOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { bytes }) => (bytes.length > 0 ? crc32(bytes, sum) : sum), 0)

type Part = { bytes: Buffer; packed: Buffer }

/** The smallest level whose pages are hardly larger than the best one's, and a window as large as what it packs. */
const quick = { level: 4, windowBits: 14 }
const notLast = { finishFlush: constants.Z_FULL_FLUSH }

function packPart(text: string, how: { level: number } = quick): Part {
  const bytes = Buffer.from(text)
  return { bytes, packed: deflateRawSync(bytes, { ...how, ...notLast }) }
}

function packLast(text: string): Part {
  const bytes = Buffer.from(text)
  return { bytes, packed: deflateRawSync(bytes, quick) }
}

const kept = new Map<string, Part>()

/** There is one style sheet for each kind of page. */
function packedOnce(still: string): Part {
  const known = kept.get(still) ?? packPart(still, { level: 9 })
  kept.set(still, known)
  return known
}
