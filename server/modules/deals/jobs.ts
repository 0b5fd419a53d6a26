import type { Deps } from '../../deps.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { holdReminderTask, remindOfHoldJob, settleDueHolds, settleHoldsJob } from './purchase/hold.ts'
import { dealReminders } from './reminders.ts'

export const dealJobs = (deps: Deps): Tasks => ({
  [settleHoldsJob]: {
    places: 2,
    run: async () => {
      await settleDueHolds(deps)
      return undefined
    },
  },
  [remindOfHoldJob]: holdReminderTask(deps),
  ...dealReminders(deps),
})
