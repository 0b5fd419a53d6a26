import { headText, leafText } from '@keyturn/contract/deals/evidence-log.ts'
import {
  type Bytes,
  leafHash,
  type Node,
  nodeHash,
  nodesCompletedBy,
  rootOf,
} from '@keyturn/contract/kit/merkle.ts'
import { asc } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { packageHash } from '../agreement/evidence.ts'
import { logHeads, logKeys, logLeaves, logNodes, packages, signatures } from '../tables.ts'
import { isSignedBy } from './head-key.ts'
import { sha256 } from './log.ts'

export type LogFault = {
  table: 'log_leaves' | 'log_nodes' | 'log_heads' | 'signatures' | 'packages'
  id: string
}

/** Makes the whole log anew from the rows that it is about, and names what differs: rows, leaves, nodes and heads. */
export async function findLogFaults(db: Db): Promise<LogFault[]> {
  const leaves = await db.select().from(logLeaves).orderBy(asc(logLeaves.place))
  const rows = await digestsOf(db)
  const faults: LogFault[] = []
  const logged = new Set<string>()
  const nodes = new Map<string, Bytes>()
  leaves.forEach(({ place, kind, rowId, digest }, at) => {
    const row = rows.get(`${kind} ${rowId}`)
    if (place !== at || !row?.digest.equals(digest)) faults.push({ table: 'log_leaves', id: String(place) })
    logged.add(`${kind} ${rowId}`)
    addLeaf(nodes, at, leafHash(sha256, Buffer.from(leafText(kind, digest.toString('hex')))))
  })
  for (const [name, { table, id }] of rows) if (!logged.has(name)) faults.push({ table, id })
  return [...faults, ...(await faultyNodes(db, nodes)), ...(await faultyHeads(db, nodes, leaves.length))]
}

type Row = { table: 'signatures' | 'packages'; id: string; digest: Buffer }

async function digestsOf(db: Db): Promise<Map<string, Row>> {
  const signed = await db.select({ id: signatures.id, digest: signatures.hash }).from(signatures)
  const packed = await db.select({ id: packages.id, contents: packages.contents }).from(packages)
  return new Map([
    ...signed.map((row): [string, Row] => [`signature ${row.id}`, { table: 'signatures', ...row }]),
    ...packed.map(({ id, contents }): [string, Row] => [
      `package ${id}`,
      { table: 'packages', id, digest: packageHash(contents) },
    ]),
  ])
}

function addLeaf(nodes: Map<string, Bytes>, at: number, leaf: Bytes): void {
  for (const { level, index } of nodesCompletedBy(at)) {
    const below = (side: 0 | 1) => nodeIn(nodes, { level: level - 1, index: index * 2 + side })
    nodes.set(nameOf({ level, index }), level === 0 ? leaf : nodeHash(sha256, below(0), below(1)))
  }
}

const nameOf = ({ level, index }: Node) => `${level}/${index}`

function nodeIn(nodes: Map<string, Bytes>, node: Node): Bytes {
  const hash = nodes.get(nameOf(node))
  if (!hash) throw new Error(`No node ${nameOf(node)}`)
  return hash
}

async function faultyNodes(db: Db, made: ReadonlyMap<string, Bytes>): Promise<LogFault[]> {
  const kept = new Map(
    (await db.select().from(logNodes)).map(({ level, place, hash }) => [
      nameOf({ level, index: place }),
      hash,
    ]),
  )
  const names = new Set([...made.keys(), ...kept.keys()])
  return [...names]
    .filter((name) => !kept.get(name)?.equals(made.get(name) ?? Buffer.alloc(0)))
    .map((id) => ({ table: 'log_nodes', id }))
}

/** Each leaf has had its head, and each head says, signed, what the leaves up to it come to. */
async function faultyHeads(db: Db, nodes: Map<string, Bytes>, leaves: number): Promise<LogFault[]> {
  const heads = new Map((await db.select().from(logHeads)).map((head) => [head.size, head]))
  const verifiers = new Map((await db.select().from(logKeys)).map(({ id, verifier }) => [id, verifier]))
  const sizes = new Set([...Array.from({ length: leaves }, (_, at) => at + 1), ...heads.keys()])
  return [...sizes]
    .filter((size) => {
      const head = heads.get(size)
      if (!head || size > leaves) return true
      const root = Buffer.from(rootOf(sha256, (node) => nodeIn(nodes, node), size))
      const [origin = ''] = head.note.split('\n', 1)
      const text = headText({ origin, size, root: root.toString('base64') })
      const isSigned = isSignedBy(verifiers.get(head.keyId) ?? '', head.note)
      return !isSigned || !head.root.equals(root) || !head.note.startsWith(`${text}\n`)
    })
    .map((size) => ({ table: 'log_heads', id: String(size) }))
}
