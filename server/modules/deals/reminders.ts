import { type DealTurn, turnsOnDeal } from '@keyturn/contract/deals/rules.ts'
import {
  dealerResponseTimeMs,
  noRemindersBeforeEndMs,
  remindersAfterMs,
} from '@keyturn/contract/notifications/reminders.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { type ReminderTurn, reminderTask } from '../notifications/reminders.ts'
import { type DealView, findFailedDelivery, readDealView } from './deal-view-repository.ts'
import { toDealFacts } from './mappers.ts'
import { notifyDealUnanswered, notifyTurn } from './notify.ts'
import { lockDealById } from './repository.ts'

/** Reminds the party that has to act, or the administrator of a dealer that has not answered. */
export const dealReminders = (deps: Deps): Tasks =>
  reminderTask(deps, 'deal', async (tx, id) => {
    await lockDealById(tx, { id })
    return findTurns(deps, tx, await readDealView(tx, id))
  })

async function findTurns(deps: Deps, tx: Db, view: DealView): Promise<ReminderTurn[]> {
  const { deal, taken } = view
  const facts = toDealFacts(view)
  if (deal.withdrawnAt || deal.completedAt || facts.isPaused || facts.status === 'STARTED') return []
  if (facts.isPassed) return findDealerTurns(deps, tx, view)
  // After an ended hold, the scheduled emails say what comes next.
  if (facts.hasHoldEnded) return []
  const isEnding = deal.exclusiveUntil !== null && +deal.exclusiveUntil - +view.now <= noRemindersBeforeEndMs
  const turns = turnsOnDeal({
    ...facts,
    status: facts.status,
    passedAt: deal.passedAt,
    taken,
    exclusivityExpired: facts.hasLapsed,
    proposedPrice: view.proposal,
  })
  return turns.map((turn: DealTurn) => ({
    afterMs: remindersAfterMs,
    remind: async () => {
      if (!isEnding) await notifyTurn(deps, tx, view, turn)
    },
  }))
}

/** Skips a deal whose delivery was parked, because the administrator was notified of that. */
async function findDealerTurns(deps: Deps, tx: Db, view: DealView): Promise<ReminderTurn[]> {
  if (view.dealerEvents.length > 0) return []
  const [givenUp] = await findFailedDelivery(tx, { dealId: view.deal.id })
  if (givenUp) return []
  return [{ afterMs: [dealerResponseTimeMs], remind: () => notifyDealUnanswered(deps, tx, view) }]
}
