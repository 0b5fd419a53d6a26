import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import type { Db } from '../database/open-database.ts'
import { type Placeholders, prepareQuery } from '../database/prepare-query.ts'
import { addJob } from '../jobs/jobs.ts'
import { pictures } from './tables.ts'

export const sweepJob = 'sweep-pictures'

/**
 * Claims a picture before its files are stored, for `forMs`. It is not swept in that time, and is
 * swept later unless it is pinned.
 */
export const claimPicture = prepareQuery(
  'claim-picture',
  (db, p: Placeholders<{ id: string; width: number; forMs: number }>) => {
    const sweepAfter = sql`${now} + ${p.forMs}::bigint * interval '1 millisecond'`
    return db
      .insert(pictures)
      .values({ id: p.id, width: p.width, sweepAfter })
      .onConflictDoUpdate({ target: pictures.id, set: { sweepAfter } })
  },
)

/** Pins a picture in the transaction that refers to it. Returns no row if it was swept. */
export const pinPicture = prepareQuery('pin-picture', (db, p: Placeholders<{ id: string }>) =>
  db.update(pictures).set({ sweepAfter: null }).where(eq(pictures.id, p.id)).returning({ id: pictures.id }),
)

/**
 * Releases pictures, in the transaction that removes references. Pictures without references are
 * deleted soon after the commit.
 */
export async function releasePictures(tx: Db, photos: readonly { id: string }[]): Promise<void> {
  if (photos.length === 0) return
  await markForSweep(tx, { ids: photos.map(({ id }) => id) })
  await addJob(tx, sweepJob, {}, { key: sweepJob })
}

const markForSweep = prepareQuery('mark-for-sweep', (db, p: Placeholders<{ ids: string[] }>) =>
  db
    .update(pictures)
    .set({ sweepAfter: now })
    .where(sql`${pictures.id} = any(${p.ids}::text[]) and ${isNull(pictures.sweepAfter)}`),
)

/** Advisory lock. A backup takes it exclusively, so that no file is deleted before its copy. */
export const sweepLockKey = 7_165_015

/** Takes the lock in shared mode for the transaction; false while a backup is running. */
export async function tryLockSweep(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ may: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${sweepLockKey}) as may`,
  )
  return rows[0]?.may ?? false
}

/** Locks the next picture to sweep. A concurrent pin waits for the result. */
export const lockNextToSweep = prepareQuery('lock-next-to-sweep', (db) =>
  db
    .select({ id: pictures.id, width: pictures.width })
    .from(pictures)
    .where(lte(pictures.sweepAfter, now))
    .orderBy(asc(pictures.sweepAfter))
    .limit(1)
    .for('update', { skipLocked: true }),
)

/**
 * Locks the picture, so that it is not swept before this transaction ends. Returns no row if it is
 * or will be deleted.
 */
export const lockPicture = prepareQuery('lock-picture', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(eq(pictures.id, p.id), isNull(pictures.sweepAfter)))
    .for('key share'),
)

export const deletePicture = prepareQuery('delete-picture', (db, p: Placeholders<{ id: string }>) =>
  db.delete(pictures).where(eq(pictures.id, p.id)),
)
