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
 * A page as one gzip stream (RFC 1952). The largest part of it, up to the end of its style sheet, is the same in each, and is
 * packed once: blocks of deflate that end on a byte can stand behind each other.
 */
export function packAround(still: string, html: string): Buffer {
  const first = still ? beginningOf(still, html) : null
  const rest = Buffer.from(first ? html.slice(first.text.length) : html)
  const end = Buffer.alloc(8)
  end.writeUInt32LE(checkOf(rest, first?.check), 0)
  end.writeUInt32LE((first?.bytes ?? 0) + rest.length, 4)
  return Buffer.concat([begin, ...(first ? [first.packed] : []), deflateRawSync(rest, quick), end])
}

/** Deflate, no name and no time, of any system. */
const begin = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Over no bytes zlib begins again with 0, whatever stood before. */
const checkOf = (bytes: Buffer, before = 0): number => (bytes.length > 0 ? crc32(bytes, before) : before)

/** Without its style sheet a page is so small that higher levels gain a few bytes; a window as large as what it packs. */
const quick = { level: 1, windowBits: 14 }

type Beginning = { text: string; packed: Buffer; bytes: number; check: number }

const kept: Beginning[] = []
/** Two of each kind of page, for who is known and who is not. */
const mostKept = 8

function beginningOf(still: string, html: string): Beginning | null {
  const known = kept.find(({ text }) => html.startsWith(text))
  if (known) return known
  const at = html.indexOf(still)
  if (at < 0) return null
  const text = html.slice(0, at + still.length)
  const bytes = Buffer.from(text)
  const packed = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const made = { text, packed, bytes: bytes.length, check: checkOf(bytes) }
  if (kept.length < mostKept) kept.push(made)
  return made
}
