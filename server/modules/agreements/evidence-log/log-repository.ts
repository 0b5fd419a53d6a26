import type { LogKind } from '@keyturn/contract/agreements/evidence-log.ts'
import type { MerkleNode } from '@keyturn/contract/shared/crypto/merkle.ts'
import { and, asc, between, desc, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import {
  type Placeholders,
  prepareQuery,
  prepareStatement,
} from '../../../platform/database/prepare-query.ts'
import { logCosignatures, logHeads, logKeys, logLeaves, logNodes } from '../tables.ts'

/** Blocks all other writers of the log until the commit. */
export const lockLog = async (tx: Db): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`)
}

const lockNumber = 7_236_019_355

/** The length of the log, and whether it contains a key. */
export const findLogSize = prepareQuery('find-log-size', (db, p: Placeholders<{ keyId: string }>) =>
  db
    .select({
      size: sql<number>`coalesce(max(${logLeaves.place}) + 1, 0)`.mapWith(Number),
      hasKey: sql<boolean>`exists (select from ${logKeys} where ${logKeys.id} = ${p.keyId})`,
    })
    .from(logLeaves),
)

export type LogEntry = { kind: LogKind; rowId: string; digest: Buffer }

export const insertLeaves = async (
  tx: Db,
  leaves: readonly (LogEntry & { place: number })[],
): Promise<void> => {
  await tx.insert(logLeaves).values([...leaves])
}

export const findLeaf = prepareQuery('find-log-leaf', (db, p: Placeholders<{ digest: Buffer }>) =>
  db
    .select({ place: logLeaves.place, kind: logLeaves.kind })
    .from(logLeaves)
    .where(eq(logLeaves.digest, p.digest)),
)

export const insertNodes = async (
  tx: Db,
  nodes: readonly (MerkleNode & { hash: Buffer })[],
): Promise<void> => {
  await tx.insert(logNodes).values(nodes.map(({ level, index: place, hash }) => ({ level, place, hash })))
}

const nodesAt = prepareQuery(
  'find-log-nodes',
  (db, p: Placeholders<{ levels: number[]; places: number[] }>) =>
    db
      .select()
      .from(logNodes)
      .where(
        sql`(${logNodes.level}, ${logNodes.place}) in (select * from unnest(${p.levels}::smallint[], ${p.places}::bigint[]))`,
      ),
)

/** Returns the listed nodes that exist. */
export const findNodes = (db: Db, nodes: readonly MerkleNode[]) =>
  nodesAt(db, { levels: nodes.map(({ level }) => level), places: nodes.map(({ index }) => index) })

export const insertKey = prepareQuery(
  'insert-log-key',
  (db, p: Placeholders<{ id: string; verifier: string }>) =>
    db.insert(logKeys).values({ id: p.id, verifier: p.verifier }).onConflictDoNothing(),
)

export const findKeys = prepareQuery('find-log-keys', (db) =>
  db.select({ id: logKeys.id, verifier: logKeys.verifier }).from(logKeys).orderBy(desc(logKeys.firstUsedAt)),
)

export const insertHeads = async (
  tx: Db,
  heads: readonly { size: number; root: Buffer; keyId: string; note: string }[],
): Promise<void> => {
  await tx.insert(logHeads).values([...heads])
}

export const findHead = prepareQuery('find-log-head', (db) =>
  db
    .select({ size: logHeads.size, root: logHeads.root, note: logHeads.note })
    .from(logHeads)
    .orderBy(desc(logHeads.size))
    .limit(1),
)

/** The head at a given size of the log, with the key that signed it. */
export const findHeadAt = prepareQuery('find-log-head-at', (db, p: Placeholders<{ size: number }>) =>
  db
    .select({ size: logHeads.size, root: logHeads.root, note: logHeads.note, verifier: logKeys.verifier })
    .from(logHeads)
    .innerJoin(logKeys, eq(logKeys.id, logHeads.keyId))
    .where(eq(logHeads.size, p.size)),
)

/** The leaves of these rows, in the order of the log. */
export const findLeaves = prepareQuery('find-log-leaves', (db, p: Placeholders<{ rowIds: string[] }>) =>
  db
    .select({ place: logLeaves.place, kind: logLeaves.kind, digest: logLeaves.digest })
    .from(logLeaves)
    .where(sql`${logLeaves.rowId} = any(${p.rowIds}::char(24)[])`)
    .orderBy(asc(logLeaves.place)),
)

type Range = { from: number; to: number }

export const findLeavesBetween = prepareQuery('find-log-leaves-between', (db, p: Placeholders<Range>) =>
  db
    .select({ kind: logLeaves.kind, digest: logLeaves.digest })
    .from(logLeaves)
    .where(between(logLeaves.place, p.from, p.to))
    .orderBy(asc(logLeaves.place)),
)

export const findNodesBetween = prepareQuery(
  'find-log-nodes-between',
  (db, p: Placeholders<Range & { level: number }>) =>
    db
      .select({ hash: logNodes.hash })
      .from(logNodes)
      .where(and(eq(logNodes.level, p.level), between(logNodes.place, p.from, p.to)))
      .orderBy(asc(logNodes.place)),
)

/** The newest head, if any, with its cosignatures and the time in epoch seconds. */
export const findCheckpoint = prepareStatement<
  Record<string, never>,
  { now: number; note: string | null; lines: string[] }
>(
  'find-log-checkpoint',
  () => sql`
    select floor(extract(epoch from keyturn_now()))::float8 as now, head.note,
      array(select line from log_cosignatures c where c.size = head.size order by witness) as lines
    from (select) as always
    left join lateral (select size, note from log_heads order by size desc limit 1) head on true`,
)

export type CosignState = { size: number; note: string; since: number; now: number; cosigned: number }

/**
 * The newest head, since when it exists and the time in epoch seconds, and the size of the last head
 * that this witness cosigned, or 0.
 */
export const findCosignState = prepareStatement<{ witness: string }, CosignState>(
  'find-log-cosign-state',
  (p) => sql`
    select size, note, extract(epoch from at)::float8 as since, extract(epoch from keyturn_now())::float8 as now,
      coalesce((
        select c.size from log_cosignatures c where c.witness = ${p.witness} order by c.size desc limit 1), 0) as cosigned
    from log_heads order by size desc limit 1`,
)

export const findFirstCosignature = prepareQuery(
  'find-first-log-cosignature',
  (db, p: Placeholders<{ witness: string; size: number }>) =>
    db
      .select({ at: logCosignatures.at })
      .from(logCosignatures)
      .where(and(eq(logCosignatures.witness, p.witness), gte(logCosignatures.size, p.size)))
      .orderBy(asc(logCosignatures.size))
      .limit(1),
)

export const insertCosignature = prepareQuery(
  'insert-log-cosignature',
  (db, p: Placeholders<{ size: number; witness: string; line: string; at: Date }>) =>
    db
      .insert(logCosignatures)
      .values({ size: p.size, witness: p.witness, line: p.line, at: p.at })
      .onConflictDoNothing(),
)
