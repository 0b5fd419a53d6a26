// The Merkle tree of an append-only log (RFC 6962, section 2.1). Pure: callers supply SHA-256 and
// the hashes.

export type Bytes = Uint8Array<ArrayBufferLike>
/** SHA-256 over the concatenated parts. */
export type HashFunction = (...parts: readonly Bytes[]) => Bytes

/**
 * The root of the 2^`level` leaves from `index` * 2^`level` on. A log stores these; every root and
 * proof is made of them.
 */
export type MerkleNode = { level: number; index: number }
export type ReadNodeHash = (node: MerkleNode) => Bytes

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

export const leafHash = (hash: HashFunction, data: Bytes): Bytes => hash(leafPrefix, data)
export const nodeHash = (hash: HashFunction, left: Bytes, right: Bytes): Bytes =>
  hash(nodePrefix, left, right)

/** Returns the nodes that a leaf completes, leaf first; each joins two of the level below. */
export function nodesCompletedBy(index: number): MerkleNode[] {
  const nodes = [{ level: 0, index }]
  for (let level = 1, at = index; at % 2 === 1; level++) {
    at = (at - 1) / 2
    nodes.push({ level, index: at })
  }
  return nodes
}

/** Returns the head of the log with its first `size` leaves. */
export function computeRoot(hash: HashFunction, of: ReadNodeHash, size: number): Bytes {
  return size === 0 ? hash() : rangeHash(hash, of, 0, size)
}

/** Proves that the leaf with this index is among the first `size` (2.1.1). */
export const inclusionProof = (hash: HashFunction, of: ReadNodeHash, index: number, size: number): Bytes[] =>
  inclusionNodes(index, 0, size).map(([from, to]) => rangeHash(hash, of, from, to))

/** Proves that a larger log begins with the `before` leaves of a smaller one (2.1.2). */
export const consistencyProof = (
  hash: HashFunction,
  of: ReadNodeHash,
  before: number,
  size: number,
): Bytes[] =>
  before === 0 || before === size
    ? []
    : consistencyRanges(before, 0, size, true).map(([from, to]) => rangeHash(hash, of, from, to))

/** Nodes that the functions above read. */
export const rootNodes = (size: number): MerkleNode[] => (size === 0 ? [] : nodesOfRange(0, size))
export const inclusionProofNodes = (index: number, size: number): MerkleNode[] =>
  inclusionNodes(index, 0, size).flatMap(([from, to]) => nodesOfRange(from, to))
export const consistencyProofNodes = (before: number, size: number): MerkleNode[] =>
  before === 0 || before === size
    ? []
    : consistencyRanges(before, 0, size, true).flatMap(([from, to]) => nodesOfRange(from, to))

/** Computes the root from a leaf and its proof; null for a wrong length (RFC 9162, 2.1.3.2). */
export function rootFromInclusion(
  hash: HashFunction,
  { leaf, index, size, proof }: { leaf: Bytes; index: number; size: number; proof: readonly Bytes[] },
): Bytes | null {
  if (!isPlace(index) || !isPlace(size) || index >= size) return null
  let at = index
  let last = size - 1
  let root = leaf
  for (const part of proof) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      root = nodeHash(hash, part, root)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else root = nodeHash(hash, root, part)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? root : null
}

/** Returns whether the log of `newer` begins with the log of `older` (RFC 9162, 2.1.4.2). */
export function isConsistent(
  hash: HashFunction,
  older: MerkleHead,
  newer: MerkleHead,
  proof: readonly Bytes[],
): boolean {
  if (older.size === 0) return isPlace(newer.size) && proof.length === 0
  const roots = rootsFromConsistency(hash, { older, size: newer.size, proof })
  return roots !== null && areBytesEqual(roots.older, older.root) && areBytesEqual(roots.newer, newer.root)
}

export type MerkleHead = { size: number; root: Bytes }

/**
 * Computes both roots from a consistency proof; null for a wrong length. `older.root` is used only
 * where the proof omits it. If the newer root is right, so is the older one.
 */
export function rootsFromConsistency(
  hash: HashFunction,
  { older, size, proof }: { older: MerkleHead; size: number; proof: readonly Bytes[] },
): { older: Bytes; newer: Bytes } | null {
  if (!isPlace(older.size) || !isPlace(size) || older.size === 0 || older.size > size) return null
  if (older.size === size) return proof.length === 0 ? { older: older.root, newer: older.root } : null
  let at = older.size - 1
  let last = size - 1
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  // For a complete tree the proof omits its root.
  const [first, ...rest] = at === 0 ? [older.root, ...proof] : proof
  if (!first) return null
  let [ofOlder, ofNewer] = [first, first]
  for (const part of rest) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      ofOlder = nodeHash(hash, part, ofOlder)
      ofNewer = nodeHash(hash, part, ofNewer)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else ofNewer = nodeHash(hash, ofNewer, part)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? { older: ofOlder, newer: ofNewer } : null
}

export const areBytesEqual = (one: Bytes, other: Bytes): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

const half = (place: number) => Math.floor(place / 2)
const isPlace = (given: number) => Number.isSafeInteger(given) && given >= 0

type Range = [from: number, to: number]

/** Returns the largest power of two below the size, where RFC 6962 splits. */
function leftOf(size: number): number {
  let left = 1
  while (left * 2 < size) left *= 2
  return left
}

function inclusionNodes(index: number, from: number, to: number): Range[] {
  if (to - from === 1) return []
  const middle = from + leftOf(to - from)
  return index < middle
    ? [...inclusionNodes(index, from, middle), [middle, to]]
    : [...inclusionNodes(index, middle, to), [from, middle]]
}

/** `isWhole`: this range is still the older log itself, whose root the caller has. */
function consistencyRanges(before: number, from: number, to: number, isWhole: boolean): Range[] {
  if (before === to) return isWhole ? [] : [[from, to]]
  const middle = from + leftOf(to - from)
  return before <= middle
    ? [...consistencyRanges(before, from, middle, isWhole), [middle, to]]
    : [...consistencyRanges(before, middle, to, false), [from, middle]]
}

/** Splits a range into complete nodes, larger first, one for each 1 bit of its size. */
function nodesOfRange(from: number, to: number): MerkleNode[] {
  const nodes: MerkleNode[] = []
  for (let at = from; at < to; ) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level++
    nodes.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return nodes
}

function rangeHash(hash: HashFunction, of: ReadNodeHash, from: number, to: number): Bytes {
  const [last, ...before] = nodesOfRange(from, to).map(of).reverse()
  if (!last) throw new Error('A range without a leaf has no hash')
  return before.reduce((right, left) => nodeHash(hash, left, right), last)
}
