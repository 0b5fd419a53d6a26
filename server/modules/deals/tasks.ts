import type { Deps } from '../../deps.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { holdReminderTask, lapseAllEndedHolds, lapseHoldsJob, remindOfHoldJob } from './purchase/hold.ts'
import { dealReminders } from './reminders.ts'

export const dealTasks = (deps: Deps): Tasks => ({
  [lapseHoldsJob]: {
    places: 2,
    run: async () => {
      await lapseAllEndedHolds(deps)
      return undefined
    },
  },
  [remindOfHoldJob]: holdReminderTask(deps),
  ...dealReminders(deps),
})
