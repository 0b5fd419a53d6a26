import { firstReminderCheckMs } from '@keyturn/contract/notifications/reminders.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { addJob, addJobs, deleteJobByKey, lockJob, type Task } from '../../platform/jobs/jobs.ts'

const jobs = { deal: 'remind-of-deal', trade: 'remind-of-trade' } as const
type ReminderSubject = keyof typeof jobs

const keyOf = (id: string) => `turn on ${id}`

/** Schedules a check, counted from now, whether these deals or trades still wait for somebody. */
export const scheduleReminders = (tx: Db, on: ReminderSubject, ids: ReadonlySet<string>): Promise<void> =>
  addJobs(
    tx,
    jobs[on],
    [...ids].map((id) => ({
      payload: { id, told: 0 },
      key: keyOf(id),
      inMs: firstReminderCheckMs[on],
      dated: true,
    })),
  )

/** One person or group that has to act, and the delays after which they are reminded. */
export type ReminderTurn = { afterMs: readonly number[]; remind: () => Promise<void> }

/**
 * Reminds everybody who has to act at that moment; `listTurns` locks the deal or trade and finds
 * them. The notification and the next check commit together, so a crash neither repeats nor loses a
 * reminder (R-notifications-28). After a long outage one reminder is sent, not all that were
 * missed.
 */
export const reminderTask = (
  deps: Pick<Deps, 'db'>,
  on: ReminderSubject,
  listTurns: (tx: Db, id: string) => Promise<ReminderTurn[]>,
): { [job: string]: Task } => ({
  [jobs[on]]: {
    places: 1,
    run: async (payload) => {
      const { id, since, told } = payload as { id: string; since: string; told: number }
      await transaction(deps.db, async (tx) => {
        const turns = await listTurns(tx, id)
        const now = await lockJob(tx, keyOf(id), payload)
        if (!now) return
        const elapsed = now.getTime() - Date.parse(since)
        for (const { afterMs, remind } of turns)
          if (afterMs.some((ms) => ms > told && ms <= elapsed)) await remind()
        const next = Math.min(...turns.flatMap(({ afterMs }) => afterMs.filter((ms) => ms > elapsed)))
        if (next === Number.POSITIVE_INFINITY) return deleteJobByKey(tx, keyOf(id))
        const again = { id, since, told: Math.max(told, elapsed) }
        await addJob(tx, jobs[on], again, { key: keyOf(id), inMs: next - elapsed })
      })
      return undefined
    },
  },
})
