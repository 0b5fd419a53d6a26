import { firstLookMs } from '@keyturn/contract/notifications/reminders.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open.ts'
import { addJob, addJobs, dropJob, lockJob, type Task } from '../../platform/jobs/jobs.ts'

const jobs = { deal: 'remind-of-deal', trade: 'remind-of-trade' } as const
type On = keyof typeof jobs

const keyOf = (id: string) => `turn on ${id}`

/** Somebody's turn on these deals or trades may have begun: the clock looks later whether it lasts, counted from now. */
export const scheduleReminders = (tx: Db, on: On, ids: ReadonlySet<string>): Promise<void> =>
  addJobs(
    tx,
    jobs[on],
    [...ids].map((id) => ({ payload: { id, told: 0 }, key: keyOf(id), inMs: firstLookMs[on], dated: true })),
  )

/** One person's, or one group's: how long after its beginning they are reminded. */
export type Turn = { afterMs: readonly number[]; remind: () => Promise<void> }

/**
 * Reminds whoever's turn it is at that moment; `turnsOn` locks the deal or trade and says who that is. What is told and
 * the next look commit together, so that nobody is told twice or not at all, whatever is killed (R-notifications-28). After a
 * long pause it is one reminder, not all that were missed.
 */
export const reminderTask = (
  deps: Pick<Deps, 'db'>,
  on: On,
  turnsOn: (tx: Db, id: string) => Promise<Turn[]>,
): { [job: string]: Task } => ({
  [jobs[on]]: {
    places: 1,
    run: async (payload) => {
      const { id, since, told } = payload as { id: string; since: string; told: number }
      await transaction(deps.db, async (tx) => {
        const turns = await turnsOn(tx, id)
        const now = await lockJob(tx, keyOf(id), payload)
        if (!now) return
        const elapsed = now.getTime() - Date.parse(since)
        for (const { afterMs, remind } of turns)
          if (afterMs.some((ms) => ms > told && ms <= elapsed)) await remind()
        const next = Math.min(...turns.flatMap(({ afterMs }) => afterMs.filter((ms) => ms > elapsed)))
        if (next === Number.POSITIVE_INFINITY) return dropJob(tx, keyOf(id))
        const again = { id, since, told: Math.max(told, elapsed) }
        await addJob(tx, jobs[on], again, { key: keyOf(id), inMs: next - elapsed })
      })
      return undefined
    },
  },
})
