import {
  type Bytes,
  consistencyProof,
  consistencyProofNodes,
  type MerkleNode,
} from '@keyturn/contract/shared/crypto/merkle.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { sha256 } from '../evidence-hashes.ts'
import * as store from './log-repository.ts'

export type Hashes = Awaited<ReturnType<typeof readNodes>>

/** Reads all nodes of a head or a proof in one query. */
export async function readNodes(db: Db, nodes: readonly MerkleNode[]) {
  const rows = nodes.length > 0 ? await store.findNodes(db, nodes) : []
  const known = new Map<string, Bytes>(
    rows.map(({ level, place, hash }) => [nameOf({ level, index: place }), hash]),
  )
  return {
    of: (node: MerkleNode): Bytes => {
      const hash = known.get(nameOf(node))
      if (!hash) throw new Error(`The log has no node ${nameOf(node)}`)
      return hash
    },
    add: (node: MerkleNode, hash: Bytes) => void known.set(nameOf(node), hash),
  }
}

const nameOf = ({ level, index }: MerkleNode) => `${level}/${index}`

/** Proves that the log of `before` entries is a prefix of the log of `size`, in base64. */
export async function readGrowthProof(db: Db, before: number, size: number): Promise<string[]> {
  const { of } = await readNodes(db, consistencyProofNodes(before, size))
  return consistencyProof(sha256, of, before, size).map((hash) => Buffer.from(hash).toString('base64'))
}
