import {
  areBytesEqual,
  type Bytes,
  type HashFunction,
  rootsFromConsistency,
} from '../../shared/crypto/merkle.ts'
import { fromBase64 } from '../../shared/crypto/signed-note.ts'

// Whether two heads of a log are of one history. Nothing here does I/O.

export type LogSize = { size: number; root: Bytes }

/** Parses the text of a checkpoint (c2sp.org/tlog-checkpoint); null when it is not one. */
export function parseCheckpoint(text: string): (LogSize & { origin: string }) | null {
  const [origin = '', size = '', root = '', ...more] = text.split('\n')
  const bytes = fromBase64(root)
  const isComplete = origin !== '' && more.pop() === '' && more.every((line) => line !== '')
  return isComplete && /^(0|[1-9]\d{0,14})$/.test(size) && bytes?.length === 32
    ? { origin, size: Number(size), root: bytes }
    : null
}

/** `start`: the older root if it is known from tiles, because some proofs omit it. */
export type GrowthProof = { hashes: readonly Bytes[]; start?: Bytes }

/** `two`: the newer log begins with other entries than the older one had. */
export type HistoryVerdict = 'one' | 'two' | 'unproven'

/** The older head must not be larger. A proof that does not lead to the newer head proves nothing. */
export function judgeHistory(
  hash: HashFunction,
  older: LogSize,
  newer: LogSize,
  proof: GrowthProof,
): HistoryVerdict {
  if (older.size === newer.size) return areBytesEqual(older.root, newer.root) ? 'one' : 'two'
  if (older.size === 0) return areBytesEqual(older.root, hash()) ? 'one' : 'two'
  const from = { size: older.size, root: proof.start ?? older.root }
  const roots = rootsFromConsistency(hash, { older: from, size: newer.size, proof: proof.hashes })
  if (!roots || !areBytesEqual(roots.newer, newer.root)) return 'unproven'
  return areBytesEqual(roots.older, older.root) ? 'one' : 'two'
}
