import { findDealMove } from '@keyturn/contract/deals/rules.ts'
import { hourMs } from '@keyturn/contract/shared/dates.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { addJob, type Task } from '../../../platform/jobs/jobs.ts'
import * as carStore from '../../cars/repository.ts'
import type { CarRow } from '../../cars/tables.ts'
import { wasNotified } from '../../notifications/sent-notifications.ts'
import { readDealView } from '../deal-view-repository.ts'
import { insertDealEvent } from '../event-repository.ts'
import { toDealFacts } from '../mappers.ts'
import { notifyHoldEnded, notifyHoldEndsSoon, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'

// The 72 hours in which only the confirmed buyer can sign.

/** Runs when a hold ends, so that both parties are notified without a request. */
export const lapseHoldsJob = 'settle-holds'

export const remindOfHoldJob = 'remind-of-hold'

/** The buyer is reminded this long before the hold ends. */
const reminderMs = 24 * hourMs

export async function scheduleHoldEnd(tx: Db, dealId: string, exclusiveUntil: Date): Promise<void> {
  await addJob(tx, lapseHoldsJob, {}, { key: `hold of ${dealId}`, at: exclusiveUntil })
  const remindAt = new Date(exclusiveUntil.getTime() - reminderMs)
  await addJob(tx, remindOfHoldJob, { dealId }, { key: `hold reminder of ${dealId}`, at: remindAt })
}

/** Lapses holds that ended without the buyer's signature and notifies both (R-deals-37). */
export async function lapseEndedHolds(deps: Deps, tx: Db, car: CarRow): Promise<void> {
  for (const { id } of await store.lockEndedHolds(tx, { carId: car.id })) {
    const view = await readDealView(tx, id)
    const move = findDealMove(toDealFacts(view), 'CLOCK', 'lapse')
    if (!move) continue
    await store.saveDeal(tx, id, {
      ...store.columnsAfterMove(move),
      exclusiveUntil: null,
      lapsedAt: now,
      ...store.termsVersionBump,
    })
    await insertDealEvent(tx, {
      dealId: id,
      actor: move.by,
      actorId: null,
      event: { event: 'lapsed' },
    })
    await notifyHoldEnded(deps, tx, view)
    await publishCarChange(tx, car)
  }
}

/**
 * Lapses every ended hold, one car per transaction. Scheduled, so that both parties are notified
 * without a request.
 */
export async function lapseAllEndedHolds(deps: Deps): Promise<void> {
  const due = await store.findCarsWithEndedHold(deps.db, { limit: 100 })
  for (const { carId } of due)
    await transaction(deps.db, async (tx) => {
      const [found] = await carStore.lockCar(tx, { id: carId })
      if (found) await lapseEndedHolds(deps, tx, found.car)
    })
}

export const holdReminderTask = (deps: Deps): Task => ({
  places: 1,
  run: async ({ dealId }) => {
    if (typeof dealId === 'string') await transaction(deps, (tx) => remindBuyer(deps, tx, dealId))
    return undefined
  },
})

/** Reminds a buyer who has not signed, once per hold. */
async function remindBuyer(deps: Deps, tx: Db, dealId: string): Promise<void> {
  await store.lockDealById(tx, { id: dealId })
  const view = await readDealView(tx, dealId)
  const { status, exclusiveUntil, acceptedAt, passedAt, withdrawnAt, buyerId } = view.deal
  const isHeld = status === 'ACCEPTED' && exclusiveUntil && acceptedAt && !passedAt && !withdrawnAt
  if (!isHeld || view.buyerSignature || view.isPaused) return
  if (exclusiveUntil <= view.now) return
  const once = { event: 'holdEndsSoon', recipientId: buyerId, dealId, since: acceptedAt } as const
  if (await wasNotified(tx, once)) return
  await notifyHoldEndsSoon(deps, tx, view, exclusiveUntil)
}
