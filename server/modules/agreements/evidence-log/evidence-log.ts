import {
  headText,
  type LogProof,
  leafText,
  type proveLogConsistency,
  type proveLogInclusion,
  type readEvidenceLog,
} from '@keyturn/contract/agreements/evidence-log.ts'
import {
  type Bytes,
  computeRoot,
  inclusionProof,
  inclusionProofNodes,
  leafHash,
  type MerkleNode,
  nodeHash,
  nodesCompletedBy,
  rootNodes,
} from '@keyturn/contract/shared/crypto/merkle.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { sha256 } from '../evidence-hashes.ts'
import { deriveHeadKey, logOrigin, toTimeVerifier } from './head-key.ts'
import { type Hashes, readGrowthProof, readNodes } from './log-nodes.ts'
import * as store from './log-repository.ts'
import { enqueueSubmissions } from './submit-heads.ts'

type Signing = Pick<Deps, 'config'>
export type LogHead = { size: number; root: Buffer }

/**
 * Appends rows of evidence to the log in the transaction that writes them and signs a head for each
 * (R-deals-63). Returns the last head. Call it once and as late as possible, because it locks the
 * log until the commit.
 */
export async function appendToLog(
  { config }: Signing,
  tx: Db,
  entries: readonly [store.LogEntry, ...store.LogEntry[]],
): Promise<LogHead> {
  await store.lockLog(tx)
  const key = deriveHeadKey(config)
  const [{ size: before, hasKey } = { size: 0, hasKey: false }] = await store.findLogSize(tx, {
    keyId: key.id,
  })
  // Each new node joins two nodes that are either read here or new themselves.
  const hashes = await readNodes(tx, rootNodes(before))
  const appended = entries.map((entry, i) => {
    const place = before + i
    return { leaf: { ...entry, place }, nodes: addNodes(entry, place, hashes), ...headAt(place + 1, hashes) }
  })
  await store.insertLeaves(
    tx,
    appended.map(({ leaf }) => leaf),
  )
  await store.insertNodes(
    tx,
    appended.flatMap(({ nodes }) => nodes),
  )
  if (!hasKey) await store.insertKey(tx, { id: key.id, verifier: key.verifier })
  const heads = appended.map(({ size, root }) => {
    const text = headText({ origin: logOrigin(config), size, root: root.toString('base64') })
    return { size, root, keyId: key.id, note: key.noteOf(text) }
  })
  await store.insertHeads(tx, heads)
  await enqueueSubmissions({ config }, tx)
  const last = heads.at(-1)
  if (!last) throw new Error('No entries were appended')
  return last
}

/** The nodes that this entry completes, starting with its leaf. */
function addNodes({ kind, digest }: store.LogEntry, place: number, hashes: Hashes) {
  const leaf = leafHash(sha256, Buffer.from(leafText(kind, digest.toString('hex'))))
  return nodesCompletedBy(place).map((node) => {
    const hash = node.level === 0 ? leaf : nodeHash(sha256, hashes.of(leftOf(node)), hashes.of(rightOf(node)))
    hashes.add(node, hash)
    return { ...node, hash: Buffer.from(hash) }
  })
}

const headAt = (size: number, hashes: Hashes): LogHead => ({
  size,
  root: Buffer.from(computeRoot(sha256, hashes.of, size)),
})

const leftOf = ({ level, index }: MerkleNode): MerkleNode => ({ level: level - 1, index: index * 2 })
const rightOf = ({ level, index }: MerkleNode): MerkleNode => ({ level: level - 1, index: index * 2 + 1 })

/** The present key signs times before it has signed a head. */
export async function readLog({ db, config }: Deps): Promise<EndpointOutput<typeof readEvidenceLog>> {
  const [[head], stored] = await Promise.all([store.findHead(db, {}), store.findKeys(db, {})])
  const keys = stored.map(({ verifier }) => verifier)
  const { verifier } = deriveHeadKey(config)
  if (!keys.includes(verifier)) keys.unshift(verifier)
  return {
    head: head ? encodeHead(head) : null,
    keys: keys.flatMap((key) => [key, toTimeVerifier(key)]),
    witnesses: config.witnesses.map((witness) => witness.verifier),
  }
}

/** The newest head in a form to store elsewhere; null for an empty log. */
export async function readHeadForBackup(db: Db): Promise<string | null> {
  const [head] = await store.findHead(db, {})
  return head ? JSON.stringify(encodeHead(head)) : null
}

export async function proveInclusion(
  { db }: Deps,
  digest: string,
): Promise<EndpointOutput<typeof proveLogInclusion>> {
  const [[head], [leaf]] = await Promise.all([
    store.findHead(db, {}),
    store.findLeaf(db, { digest: Buffer.from(digest, 'hex') }),
  ])
  // A row added after the head was read is covered by the next head.
  if (!head || !leaf || leaf.place >= head.size) throw apiErrors.NotFound()
  const { of } = await readNodes(db, inclusionProofNodes(leaf.place, head.size))
  const proof = inclusionProof(sha256, of, leaf.place, head.size)
  return { ...leaf, proof: proof.map(toBase64), head: encodeHead(head) }
}

export async function proveConsistency(
  { db }: Deps,
  size: number,
): Promise<EndpointOutput<typeof proveLogConsistency>> {
  const [head] = await store.findHead(db, {})
  if (!head || size > head.size) throw apiErrors.NotFound()
  return { proof: await readGrowthProof(db, size, head.size), head: encodeHead(head) }
}

/**
 * Returns the first head that covers all these rows, with their proofs; the result never changes.
 * Null until all of the rows are in the log.
 */
export async function readJointProof(db: Db, rowIds: readonly string[]): Promise<LogProof | null> {
  const leaves = await store.findLeaves(db, { rowIds: [...rowIds] })
  const last = leaves.at(-1)
  if (!last || leaves.length < rowIds.length) return null
  const size = last.place + 1
  const [head] = await store.findHeadAt(db, { size })
  if (!head) return null
  const { of } = await readNodes(
    db,
    leaves.flatMap(({ place }) => inclusionProofNodes(place, size)),
  )
  const rows = leaves.map(({ place, kind, digest }) => ({
    kind,
    place,
    digest: digest.toString('hex'),
    proof: inclusionProof(sha256, of, place, size).map(toBase64),
  }))
  return { head: encodeHead(head), key: head.verifier, rows }
}

const toBase64 = (bytes: Bytes) => Buffer.from(bytes).toString('base64')
const encodeHead = ({ size, root, note }: { size: number; root: Buffer; note: string }) => ({
  size,
  root: toBase64(root),
  note,
})
