import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { transaction } from '../database/open-database.ts'
import type { Tasks } from '../jobs/jobs.ts'
import { deletePicture, lockNextToSweep, pinPicture, sweepJob, tryLockSweep } from './picture-repository.ts'
import { derivedNames, photoFileNames } from './picture-store.ts'

/** Checks whether a module references a picture. `start/job-runner.ts` passes in one per module. */
export type PictureUse = {
  /** Condition that is true if the module references this picture. */
  isUsed: (id: string) => SQL
}

/**
 * Deletes pictures without references: soon after the last reference is removed, and hourly for
 * uploads that were never completed (R-cars-27).
 */
export const pictureTasks = (deps: Pick<Deps, 'db' | 'pictures'>, uses: readonly PictureUse[]): Tasks => ({
  [sweepJob]: {
    places: 1,
    run: async () => {
      let swept: Swept
      do swept = await sweepNext(deps, uses)
      while (swept === 'one')
      return { againInMs: swept === 'later' ? laterMs : hourMs }
    },
  },
})

type Swept = 'one' | 'none' | 'later'
/** Retry delay while a backup is running. */
const laterMs = 60_000

/**
 * Deletes files before the row, so that a failure is retried. A concurrent upload of the same
 * picture waits for the row lock.
 */
const sweepNext = (
  { db, pictures }: Pick<Deps, 'db' | 'pictures'>,
  uses: readonly PictureUse[],
): Promise<Swept> =>
  transaction(db, async (tx) => {
    if (!(await tryLockSweep(tx))) return 'later'
    const [next] = await lockNextToSweep(tx, {})
    if (!next) return 'none'
    // A separate statement after the lock sees everything committed until then.
    const { rows } = await tx.execute<{ used: boolean }>(
      sql`select ${sql.join(
        uses.map(({ isUsed }) => isUsed(next.id)),
        sql` or `,
      )} as used`,
    )
    if (rows[0]?.used) await pinPicture(tx, next)
    else {
      await pictures.store.drop(next.id, [...photoFileNames(next), ...derivedNames])
      await deletePicture(tx, next)
    }
    return 'one'
  })
