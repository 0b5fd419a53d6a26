import { type Bytes, type HashFunction, type MerkleNode, nodeHash, type ReadNodeHash } from './merkle.ts'

// Tiles of a Merkle tree (c2sp.org/tlog-tiles): 256 consecutive hashes of every eighth level. Pure.

/** `level` counts tiles, so its hashes are Merkle nodes of level `8 * level`. */
export type Tile = { level: number | 'entries'; index: number; width: number }

export const tileWidth = 256
export const levelsPerTile = 8

/** Parses the part of the URL after `tile/`; null unless it is in the specification's only form. */
export function parseTilePath(level: string, path: string): Tile | null {
  const [, elements = '', width] = /^((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? []
  const index = Number(elements.replaceAll(/[x/]/g, ''))
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index,
    width: width === undefined ? tileWidth : Number(width),
  }
  const isLevel = level === 'entries' || (/^(0|[1-9]\d?)$/.test(level) && Number(level) <= maxLevel)
  const isCounted = Number.isSafeInteger((index + 1) * tileWidth)
  // Rejects leading zeros, and a full tile written as a partial one.
  return isLevel && isCounted && tilePath(tile) === `${level}/${path}` ? tile : null
}

const maxLevel = 63

/** Returns `0/x001/234` or `entries/000.p/7`: the URL of a tile after `tile/`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const elements = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  const path = elements.map((element, at) => (at < elements.length - 1 ? `x${element}` : element)).join('/')
  return `${level}/${path}${width < tileWidth ? `.p/${width}` : ''}`
}

/** The tile that contains this node, as wide as a tree of this size has it. */
export function tileOfNode({ level, index }: MerkleNode, size: number): Tile & { level: number } {
  const tileLevel = Math.floor(level / levelsPerTile)
  const tile = Math.floor((index * 2 ** (level % levelsPerTile)) / tileWidth)
  const hashes = Math.floor(size / tileWidth ** tileLevel)
  return { level: tileLevel, index: tile, width: Math.min(tileWidth, hashes - tile * tileWidth) }
}

/** Reads nodes from tiles; `read` returns a tile's bytes, which may be wider than asked for. */
export const nodesOfTiles =
  (hash: HashFunction, size: number, read: (tile: Tile) => Bytes): ReadNodeHash =>
  (node) => {
    const tile = tileOfNode(node, size)
    const bytes = read(tile)
    const width = 2 ** (node.level % levelsPerTile)
    const first = node.index * width - tile.index * tileWidth
    if (bytes.length < (first + width) * hashBytes) throw new Error(`The tile ${tilePath(tile)} is too short`)
    const hashes = Array.from({ length: width }, (_, at) => {
      const begin = (first + at) * hashBytes
      return bytes.subarray(begin, begin + hashBytes)
    })
    return rootOf(hash, hashes)
  }

const hashBytes = 32

/** The root over hashes whose number is a power of two. */
function rootOf(hash: HashFunction, hashes: readonly Bytes[]): Bytes {
  const [first = new Uint8Array(), ...more] = hashes
  if (more.length === 0) return first
  const middle = hashes.length / 2
  return nodeHash(hash, rootOf(hash, hashes.slice(0, middle)), rootOf(hash, hashes.slice(middle)))
}

/** Encodes log entries as a bundle: each behind its length in two bytes. */
export function encodeEntries(entries: readonly Bytes[]): Bytes {
  const bundle = new Uint8Array(entries.reduce((size, entry) => size + 2 + entry.length, 0))
  let at = 0
  for (const entry of entries) {
    new DataView(bundle.buffer).setUint16(at, entry.length)
    bundle.set(entry, at + 2)
    at += 2 + entry.length
  }
  return bundle
}
