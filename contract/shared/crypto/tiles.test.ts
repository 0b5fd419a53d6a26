import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type Bytes,
  computeRoot,
  consistencyProof,
  consistencyProofNodes,
  isConsistent,
  leafHash,
  nodeHash,
  rootNodes,
} from './merkle.ts'
import { encodeEntries, nodesOfTiles, parseTilePath, type Tile, tileOfNode, tilePath } from './tiles.ts'

// c2sp.org/tlog-tiles. The examples are those of the text.

const hash = (...parts: readonly Bytes[]): Bytes => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return new Uint8Array(digest.digest())
}
const hex = (bytes: Bytes) => Buffer.from(bytes).toString('hex')
const leaf = (at: number) => leafHash(hash, Buffer.from(`entry ${at}`))

/** The tree hash of RFC 6962, section 2.1, written down from its definition. */
function treeHash(from: number, to: number): Bytes {
  if (to - from === 1) return leaf(from)
  let left = 1
  while (left * 2 < to - from) left *= 2
  return nodeHash(hash, treeHash(from, from + left), treeHash(from + left, to))
}

/** Every tile of a tree of this size by its path, built as the text defines it. */
function tilesOf(size: number): Map<string, Bytes> {
  const tiles = new Map<string, Bytes>()
  let hashes = Array.from({ length: size }, (_, at) => leaf(at))
  for (let level = 0; hashes.length > 0; level++) {
    const above: Bytes[] = []
    for (let index = 0; index * 256 < hashes.length; index++) {
      const part = hashes.slice(index * 256, (index + 1) * 256)
      tiles.set(tilePath({ level, index, width: part.length }), Buffer.concat(part))
      if (part.length < 256) continue
      let row = part
      while (row.length > 1)
        row = row.flatMap((left, at) => (at % 2 === 0 ? nodeHash(hash, left, row[at + 1] ?? left) : []))
      above.push(...row)
    }
    hashes = above
  }
  return tiles
}

const readFrom = (tiles: Map<string, Bytes>) => (tile: Tile) => {
  const bytes = tiles.get(tilePath(tile))
  if (!bytes) throw new Error(`No tile ${tilePath(tile)}`)
  return bytes
}

// R-deals-107
test.each([1, 7, 255, 256, 257, 600, 65_535, 65_536, 65_540, 70_000])(
  'computes the root of %d entries from tiles',
  (size) => {
    const tiles = tilesOf(size)
    const root = computeRoot(hash, nodesOfTiles(hash, size, readFrom(tiles)), size)
    expect(hex(root)).toBe(hex(treeHash(0, size)))
    for (const node of rootNodes(size)) expect(tiles.has(tilePath(tileOfNode(node, size)))).toBe(true)
  },
)

test('has the tiles of the text for 70,000 entries', () => {
  const paths = [...tilesOf(70_000).keys()]
  expect(paths.filter((path) => /^0\/\d{3}$/.test(path))).toHaveLength(273)
  expect(paths.filter((path) => !/^0\/\d{3}$/.test(path))).toEqual([
    '0/273.p/112',
    '1/000',
    '1/001.p/17',
    '2/000.p/1',
  ])
  expect([...tilesOf(256).keys()]).toEqual(['0/000', '1/000.p/1'])
})

test('proves growth from tiles across the edges of tiles', () => {
  const tiles = tilesOf(66_000)
  const of = nodesOfTiles(hash, 66_000, readFrom(tiles))
  for (const before of [1, 255, 256, 257, 511, 65_535, 65_536, 65_537, 65_999]) {
    const proof = consistencyProof(hash, of, before, 66_000)
    const [older, newer] = [before, 66_000].map((size) => ({ size, root: treeHash(0, size) }))
    if (!older || !newer) throw new Error('No head')
    expect(isConsistent(hash, older, newer, proof)).toBe(true)
    expect(consistencyProofNodes(before, 66_000).length).toBeLessThan(40)
  }
})

test('rejects a tile that is too short', () => {
  const of = nodesOfTiles(hash, 300, () => new Uint8Array(31))
  expect(() => of({ level: 0, index: 0 })).toThrow('0/000 is too short')
})

test.each<[string, string, Tile]>([
  ['0', '000', { level: 0, index: 0, width: 256 }],
  ['1', 'x001/x234/067', { level: 1, index: 1_234_067, width: 256 }],
  ['entries', 'x001/000.p/255', { level: 'entries', index: 1000, width: 255 }],
  ['63', '999.p/1', { level: 63, index: 999, width: 1 }],
])('parses and writes tile/%s/%s', (level, path, tile) => {
  expect(parseTilePath(level, path)).toEqual(tile)
  expect(tilePath(tile)).toBe(`${level}/${path}`)
})

test.each([
  ['64', '000'],
  ['00', '000'],
  ['-1', '000'],
  ['entry', '000'],
  ['0', '0'],
  ['0', '0000'],
  ['0', 'x000/001'],
  ['0', '001/000'],
  ['0', 'x001'],
  ['0', '000.p/0'],
  ['0', '000.p/256'],
  ['0', '000.p/01'],
  ['0', '000.p'],
  ['0', '000/'],
  ['0', `${'x999/'.repeat(5)}999`],
])('rejects tile/%s/%s', (level, path) => {
  expect(parseTilePath(level, path)).toBeNull()
})

test('writes entries behind their length in two bytes', () => {
  const long = 'x'.repeat(300)
  const bundle = encodeEntries([Buffer.from('ab'), Buffer.from(''), Buffer.from(long)])
  expect(Buffer.from(bundle).toString('latin1')).toBe(`\x00\x02ab\x00\x00\x01\x2c${long}`)
})
