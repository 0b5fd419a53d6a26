import type { LogKind } from '@keyturn/contract/agreements/evidence-log.ts'
import type { Node } from '@keyturn/contract/shared/crypto/merkle.ts'
import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepared } from '../../../platform/database/prepared.ts'
import { logHeads, logKeys, logLeaves, logNodes } from '../tables.ts'

/** Blocks all other writers of the log until the commit. */
export const lockLog = async (tx: Db): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`)
}

const lockNumber = 7_236_019_355

/** The length of the log, and whether it contains a key. */
export const findSize = prepared('log-size', (db, p: Placeholders<{ keyId: string }>) =>
  db
    .select({
      size: sql<number>`coalesce(max(${logLeaves.place}) + 1, 0)`.mapWith(Number),
      hasKey: sql<boolean>`exists (select from ${logKeys} where ${logKeys.id} = ${p.keyId})`,
    })
    .from(logLeaves),
)

export type Entry = { kind: LogKind; rowId: string; digest: Buffer }

export const insertLeaves = async (tx: Db, leaves: readonly (Entry & { place: number })[]): Promise<void> => {
  await tx.insert(logLeaves).values([...leaves])
}

export const findLeaf = prepared('log-leaf', (db, p: Placeholders<{ digest: Buffer }>) =>
  db
    .select({ place: logLeaves.place, kind: logLeaves.kind })
    .from(logLeaves)
    .where(eq(logLeaves.digest, p.digest)),
)

export const insertNodes = async (tx: Db, nodes: readonly (Node & { hash: Buffer })[]): Promise<void> => {
  await tx.insert(logNodes).values(nodes.map(({ level, index: place, hash }) => ({ level, place, hash })))
}

const nodesAt = prepared('log-nodes', (db, p: Placeholders<{ levels: number[]; places: number[] }>) =>
  db
    .select()
    .from(logNodes)
    .where(
      sql`(${logNodes.level}, ${logNodes.place}) in (select * from unnest(${p.levels}::smallint[], ${p.places}::bigint[]))`,
    ),
)

/** Returns the listed nodes that exist. */
export const findNodes = (db: Db, nodes: readonly Node[]) =>
  nodesAt(db, { levels: nodes.map(({ level }) => level), places: nodes.map(({ index }) => index) })

export const insertKey = prepared('insert-log-key', (db, p: Placeholders<{ id: string; verifier: string }>) =>
  db.insert(logKeys).values({ id: p.id, verifier: p.verifier }).onConflictDoNothing(),
)

export const findKeys = prepared('log-keys', (db) =>
  db.select({ id: logKeys.id, verifier: logKeys.verifier }).from(logKeys).orderBy(desc(logKeys.firstUsedAt)),
)

export const insertHeads = async (
  tx: Db,
  heads: readonly { size: number; root: Buffer; keyId: string; note: string }[],
): Promise<void> => {
  await tx.insert(logHeads).values([...heads])
}

export const findHead = prepared('log-head', (db) =>
  db
    .select({ size: logHeads.size, root: logHeads.root, note: logHeads.note })
    .from(logHeads)
    .orderBy(desc(logHeads.size))
    .limit(1),
)

/** The head at a given size of the log, with the key that signed it. */
export const findHeadAt = prepared('log-head-at', (db, p: Placeholders<{ size: number }>) =>
  db
    .select({ size: logHeads.size, root: logHeads.root, note: logHeads.note, verifier: logKeys.verifier })
    .from(logHeads)
    .innerJoin(logKeys, eq(logKeys.id, logHeads.keyId))
    .where(eq(logHeads.size, p.size)),
)

/** The leaves of these rows, in the order of the log. */
export const findLeaves = prepared('log-leaves', (db, p: Placeholders<{ rowIds: string[] }>) =>
  db
    .select({ place: logLeaves.place, kind: logLeaves.kind, digest: logLeaves.digest })
    .from(logLeaves)
    .where(sql`${logLeaves.rowId} = any(${p.rowIds}::char(24)[])`)
    .orderBy(asc(logLeaves.place)),
)
