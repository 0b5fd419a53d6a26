import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Bytes,
  computeRoot,
  consistencyProof,
  consistencyProofNodes,
  type HashFunction,
  inclusionProof,
  inclusionProofNodes,
  isConsistent,
  leafHash,
  type MerkleNode,
  nodeHash,
  nodesCompletedBy,
  rootFromInclusion,
  rootNodes,
} from './merkle.ts'

const hash: HashFunction = (...parts) => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return new Uint8Array(digest.digest())
}
const hex = (bytes: Bytes) => Buffer.from(bytes).toString('hex')
const keyOf = ({ level, index }: MerkleNode) => `${level}/${index}`

/** A log as a database stores it: only the nodes that each leaf completes. */
function logOf(leaves: readonly Bytes[]) {
  const stored = new Map<string, Bytes>()
  const readNode = (node: MerkleNode) => {
    const found = stored.get(keyOf(node))
    if (!found) throw new Error(`No node ${keyOf(node)}`)
    return found
  }
  leaves.forEach((leaf, at) => {
    for (const node of nodesCompletedBy(at)) {
      const { level, index } = node
      const digest =
        level === 0
          ? leafHash(hash, leaf)
          : nodeHash(
              hash,
              readNode({ level: level - 1, index: index * 2 }),
              readNode({ level: level - 1, index: index * 2 + 1 }),
            )
      stored.set(keyOf(node), digest)
    }
  })
  return readNode
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
/** The test vectors of Certificate Transparency. */
const known = ' 00 10 2021 3031 40414243 5051525354555657 606162636465666768696a6b6c6d6e6f'
  .split(' ')
  .map(bytesOf)
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test('computes the heads that RFC 6962 specifies', () => {
  expect(roots.map((_, size) => hex(computeRoot(hash, logOf(known.slice(0, size)), size)))).toEqual(roots)
})

const leaves = Array.from({ length: 70 }, (_, at) => Buffer.from(`entry ${at}`))
const log = logOf(leaves)
const root = (size: number) => computeRoot(hash, log, size)
const sizes = fc.integer({ min: 1, max: leaves.length })
const places = sizes.chain((size) => fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.constant(size)))

test('proves a leaf to every head that includes it, and to no other head', () => {
  fc.assert(
    fc.property(places, ([index, size]) => {
      const proof = inclusionProof(hash, log, index, size)
      const leaf = log({ level: 0, index })
      const computed = rootFromInclusion(hash, { leaf, index, size, proof })
      expect(computed && hex(computed)).toBe(hex(root(size)))
      const wrongPlace = rootFromInclusion(hash, { leaf, index: (index + 1) % size, size, proof })
      if (size > 1) expect(wrongPlace && hex(wrongPlace)).not.toBe(hex(root(size)))
      expect(rootFromInclusion(hash, { leaf, index, size, proof: [...proof, leaf] })).toBe(null)
      if (proof.length > 0)
        expect(rootFromInclusion(hash, { leaf, index, size, proof: proof.slice(1) })).toBe(null)
    }),
  )
})

test('proves that an older head is a prefix of a newer one, and rejects a rewritten log', () => {
  const rewritten = logOf(leaves.map((leaf, at) => (at === 0 ? Buffer.from('another') : leaf)))
  fc.assert(
    fc.property(places, ([before, size]) => {
      const older = { size: before, root: root(before) }
      const newer = { size, root: root(size) }
      const proof = consistencyProof(hash, log, before, size)
      expect(isConsistent(hash, older, newer, proof)).toBe(true)
      const forged = { size, root: computeRoot(hash, rewritten, size) }
      const forgedProof = consistencyProof(hash, rewritten, before, size)
      if (before > 0) {
        expect(isConsistent(hash, older, forged, forgedProof)).toBe(false)
        expect(isConsistent(hash, older, newer, [...proof, older.root])).toBe(false)
        expect(isConsistent(hash, older, newer, proof.slice(1))).toBe(proof.length === 0)
        expect(isConsistent(hash, newer, older, proof)).toBe(before === size)
      }
    }),
  )
})

test('reads only the listed nodes for a root or proof, and logarithmically many', () => {
  fc.assert(
    fc.property(places, ([before, size]) => {
      const asked: string[] = []
      const watched = (node: MerkleNode) => {
        asked.push(keyOf(node))
        return log(node)
      }
      computeRoot(hash, watched, size)
      expect(asked).toEqual(rootNodes(size).map(keyOf))
      asked.length = 0
      inclusionProof(hash, watched, before, size)
      expect(asked).toEqual(inclusionProofNodes(before, size).map(keyOf))
      asked.length = 0
      consistencyProof(hash, watched, before, size)
      expect(asked).toEqual(consistencyProofNodes(before, size).map(keyOf))
      expect(asked.length).toBeLessThan(4 * Math.log2(size + 1) + 1)
    }),
  )
})
