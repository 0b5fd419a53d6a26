import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { now } from '../database/columns.ts'
import type { Db } from '../database/open.ts'
import { type Placeholders, prepared } from '../database/prepared.ts'
import { addJob } from '../jobs/jobs.ts'
import { pictures } from './tables.ts'

export const sweepJob = 'sweep-pictures'

/** Before the files are stored: nobody sweeps them while they are, and if their owner never comes they are swept. */
export const claimPicture = prepared(
  'claim-picture',
  (db, p: Placeholders<{ id: string; width: number; forMs: number }>) => {
    const sweepAfter = sql`${now} + ${p.forMs}::bigint * interval '1 millisecond'`
    return db
      .insert(pictures)
      .values({ id: p.id, width: p.width, sweepAfter })
      .onConflictDoUpdate({ target: pictures.id, set: { sweepAfter } })
  },
)

/** With whatever refers to the picture from now on, in one transaction. No row: it was swept meanwhile. */
export const pinPicture = prepared('pin-picture', (db, p: Placeholders<{ id: string }>) =>
  db.update(pictures).set({ sweepAfter: null }).where(eq(pictures.id, p.id)).returning({ id: pictures.id }),
)

/** With the last that referred to them, in one transaction: what nobody else refers to is gone soon after the commit. */
export async function releasePictures(tx: Db, photos: readonly { id: string }[]): Promise<void> {
  if (photos.length === 0) return
  await markForSweep(tx, { ids: photos.map(({ id }) => id) })
  await addJob(tx, sweepJob, {}, { key: sweepJob })
}

const markForSweep = prepared('mark-for-sweep', (db, p: Placeholders<{ ids: string[] }>) =>
  db
    .update(pictures)
    .set({ sweepAfter: now })
    .where(sql`${pictures.id} = any(${p.ids}::text[]) and ${isNull(pictures.sweepAfter)}`),
)

/** Taken by whoever copies the files of a moment: none that is needed then may go before its turn. */
export const sweepingLock = 7_165_015

/** Until the end of the transaction nobody begins to copy; false while somebody does. */
export async function maySweep(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ may: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${sweepingLock}) as may`,
  )
  return rows[0]?.may ?? false
}

/** The next one that may be swept; whoever pins it now waits for what becomes of it. */
export const lockNextToSweep = prepared('lock-next-to-sweep', (db) =>
  db
    .select({ id: pictures.id, width: pictures.width })
    .from(pictures)
    .where(lte(pictures.sweepAfter, now))
    .orderBy(asc(pictures.sweepAfter))
    .limit(1)
    .for('update', { skipLocked: true }),
)

/** Until the end of the transaction nobody sweeps it. No row: it is gone, or about to go. */
export const holdPicture = prepared('hold-picture', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(eq(pictures.id, p.id), isNull(pictures.sweepAfter)))
    .for('key share'),
)

export const deletePicture = prepared('delete-picture', (db, p: Placeholders<{ id: string }>) =>
  db.delete(pictures).where(eq(pictures.id, p.id)),
)
