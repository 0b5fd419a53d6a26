import { headText, type LogKind, leafText } from '@keyturn/contract/agreements/evidence-log.ts'
import {
  type Bytes,
  computeRoot,
  leafHash,
  type MerkleNode,
  nodeHash,
  nodesCompletedBy,
} from '@keyturn/contract/shared/crypto/merkle.ts'
import { and, asc, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { packageHash, sha256 } from '../evidence-hashes.ts'
import { logHeads, logKeys, logLeaves, packages, signatures } from '../tables.ts'
import { verifyNote } from './head-key.ts'

type LogFault = {
  table: 'log_leaves' | 'log_nodes' | 'log_heads' | 'signatures' | 'packages'
  id: string
}

/** The number of leaves held in memory at a time. */
const leavesPerQuery = 500

/**
 * Recomputes the log from its source rows and yields each difference in rows, leaves, nodes and
 * heads. Memory use does not depend on the log's length.
 */
export async function* findLogFaults(db: Db, perQuery = leavesPerQuery): AsyncGenerator<LogFault> {
  const verifiers = new Map((await db.select().from(logKeys)).map(({ id, verifier }) => [id, verifier]))
  // The complete nodes from which the next ones are computed.
  const edge: Bytes[] = []
  const [{ leaves = 0 } = {}] = (
    await db.execute<{ leaves: number }>(
      sql`select coalesce(max(place) + 1, 0)::float8 as leaves from ${logLeaves}`,
    )
  ).rows
  for (let from = 0; from < leaves; from += perQuery) {
    const to = Math.min(from + perQuery, leaves)
    yield* findFaultsBetween(db, { from, to, edge, verifiers })
  }
  yield* findUnloggedRows(db)
  yield* findStrayRows(db, leaves)
}

type Part = { from: number; to: number; edge: Bytes[]; verifiers: ReadonlyMap<string, string> }

async function* findFaultsBetween(db: Db, { from, to, edge, verifiers }: Part): AsyncGenerator<LogFault> {
  const leaves = new Map((await readLeaves(db, from, to)).map((leaf) => [leaf.place, leaf]))
  const digests = await readDigests(db, [...leaves.values()])
  const nodes = await readNodes(db, from, to)
  const heads = await readHeads(db, from + 1, to + 1)
  for (let place = from; place < to; place++) {
    const leaf = leaves.get(place)
    const row = leaf && digests.get(`${leaf.kind} ${leaf.rowId}`)
    if (!leaf || !row?.equals(leaf.digest)) yield { table: 'log_leaves', id: String(place) }
    // A missing leaf counts as empty, so all later nodes differ too.
    const text = leaf ? leafText(leaf.kind, leaf.digest.toString('hex')) : ''
    for (const [node, made] of completeNodes(edge, place, leafHash(sha256, Buffer.from(text))))
      if (!nodes.get(nameOf(node))?.equals(made)) yield { table: 'log_nodes', id: nameOf(node) }
    const head = heads.get(place + 1)
    if (!head || !(await isValidHead(head, edge, verifiers)))
      yield { table: 'log_heads', id: String(place + 1) }
  }
}

const readLeaves = (db: Db, from: number, to: number) =>
  db
    .select()
    .from(logLeaves)
    .where(and(gte(logLeaves.place, from), lt(logLeaves.place, to)))

type Leaf = { kind: LogKind; rowId: string }

async function readDigests(db: Db, leaves: readonly Leaf[]): Promise<Map<string, Buffer>> {
  const ids = (kindWanted: LogKind) => {
    const found = leaves.filter(({ kind }) => kind === kindWanted).map(({ rowId }) => rowId)
    return sql`any(${sql.param(found)}::char(24)[])`
  }
  const signed = await db
    .select({ id: signatures.id, digest: signatures.hash })
    .from(signatures)
    .where(sql`${signatures.id} = ${ids('signature')}`)
  const packed = await db
    .select({ id: packages.id, contents: packages.contents })
    .from(packages)
    .where(sql`${packages.id} = ${ids('package')}`)
  return new Map([
    ...signed.map(({ id, digest }): [string, Buffer] => [`signature ${id}`, digest]),
    ...packed.map(({ id, contents }): [string, Buffer] => [`package ${id}`, packageHash(contents)]),
  ])
}

/** The nodes of all levels whose last leaf is in this range. */
async function readNodes(db: Db, from: number, to: number): Promise<Map<string, Buffer>> {
  const levels = Array.from({ length: Math.floor(Math.log2(to)) + 1 }, (_, level) => level)
  const first = levels.map((level) => Math.ceil((from + 1) / 2 ** level) - 1)
  const last = levels.map((level) => Math.floor(to / 2 ** level) - 1)
  const { rows } = await db.execute<{ level: number; place: string; hash: Buffer }>(sql`
    select n.level, n.place, n.hash
    from unnest(${sql.param(levels)}::smallint[], ${sql.param(first)}::bigint[], ${sql.param(last)}::bigint[]) as wanted (level, first, last)
    join log_nodes n on n.level = wanted.level and n.place between wanted.first and wanted.last`)
  return new Map(rows.map(({ level, place, hash }) => [nameOf({ level, index: Number(place) }), hash]))
}

async function readHeads(db: Db, from: number, to: number): Promise<Map<number, Head>> {
  const rows = await db
    .select()
    .from(logHeads)
    .where(and(gte(logHeads.size, from), lt(logHeads.size, to)))
    .orderBy(asc(logHeads.size))
  return new Map(rows.map((head) => [head.size, head]))
}

/** Computes the nodes that this leaf completes, and stores those needed later at the edge. */
function completeNodes(edge: Bytes[], place: number, leaf: Bytes): [MerkleNode, Bytes][] {
  let made = leaf
  const nodes = nodesCompletedBy(place).map((node): [MerkleNode, Bytes] => {
    if (node.level > 0) made = nodeHash(sha256, edge[node.level - 1] ?? leaf, made)
    return [node, made]
  })
  edge[nodes.length - 1] = made
  return nodes
}

type Head = { size: number; root: Buffer; keyId: string; note: string }

/** Checks that the head signs the root of the leaves up to its size. */
async function isValidHead(
  head: Head,
  edge: readonly Bytes[],
  verifiers: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { size, note, keyId } = head
  // A root uses at most one complete node per level, which is the last one computed.
  const root = Buffer.from(computeRoot(sha256, ({ level }) => edge[level] ?? new Uint8Array(), size))
  const [origin = ''] = note.split('\n', 1)
  const signed = await verifyNote([verifiers.get(keyId) ?? ''], note)
  return head.root.equals(root) && signed?.text === headText({ origin, size, root: root.toString('base64') })
}

const nameOf = ({ level, index }: MerkleNode) => `${level}/${index}`

/** Rows of evidence that were never logged. */
async function* findUnloggedRows(db: Db): AsyncGenerator<LogFault> {
  for (const [table, kind] of [
    ['signatures', 'signature'],
    ['packages', 'package'],
  ] as const) {
    const { rows } = await db.execute<{ id: string }>(sql`
      select id from ${sql.identifier(table)} e
      where not exists (select from log_leaves l where l.kind = ${kind} and l.row_id = e.id)`)
    for (const { id } of rows) yield { table, id }
  }
}

async function* findStrayRows(db: Db, leaves: number): AsyncGenerator<LogFault> {
  const { rows } = await db.execute<LogFault>(sql`
    select 'log_nodes' as table, level || '/' || place as id from log_nodes where (place + 1) * 2 ^ level > ${leaves}
    union all
    select 'log_heads', size::text from log_heads where size > ${leaves}`)
  yield* rows
}
