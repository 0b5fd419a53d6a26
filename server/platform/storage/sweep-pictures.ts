import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { transaction } from '../database/open.ts'
import type { Tasks } from '../jobs/jobs.ts'
import { deletePicture, lockNextToSweep, maySweep, pinPicture, sweepJob } from './picture-rows.ts'
import { besides, drawnNames } from './picture-store.ts'

/** What the rooms know of the pictures they show, handed down by `main.ts`. */
export type PictureUse = {
  /** Whether anything of the room refers to the picture with this id. */
  isUsed: (id: string) => SQL
}

/** Takes away the files to which nobody refers: soon after somebody has let go of them, and hourly what was never finished (R-cars-27). */
export const pictureJobs = (deps: Pick<Deps, 'db' | 'pictures'>, uses: readonly PictureUse[]): Tasks => ({
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
/** A backup is being made. */
const laterMs = 60_000

/** The files go before the row does: one that stays is swept again. Whoever wants the same picture now waits for it. */
const sweepNext = (
  { db, pictures }: Pick<Deps, 'db' | 'pictures'>,
  uses: readonly PictureUse[],
): Promise<Swept> =>
  transaction(db, async (tx) => {
    if (!(await maySweep(tx))) return 'later'
    const [next] = await lockNextToSweep(tx, {})
    if (!next) return 'none'
    // A statement after the lock: it sees whatever was committed before.
    const { rows } = await tx.execute<{ used: boolean }>(
      sql`select ${sql.join(
        uses.map(({ isUsed }) => isUsed(next.id)),
        sql` or `,
      )} as used`,
    )
    if (rows[0]?.used) await pinPicture(tx, next)
    else {
      await pictures.store.drop(next.id, [...drawnNames(next), ...besides])
      await deletePicture(tx, next)
    }
    return 'one'
  })
