import { hourMs } from '@keyturn/contract/shared/dates.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { addJob, type Task } from '../../platform/jobs/jobs.ts'
import { lockDealById } from '../dealers/dealer-api/dealer-call-repository.ts'
import { notifyHoldEndsSoon } from '../deals/notify.ts'
import { readDealView } from '../deals/open-deal.ts'
import { wasNotified } from '../notifications/actions.ts'

export const remindOfHoldJob = 'remind-of-hold'

/** The buyer is reminded this long before the hold ends. */
const reminderMs = 24 * hourMs

/** Schedules the buyer's reminder one day before the hold ends. */
export const watchHold = (tx: Db, dealId: string, exclusiveUntil: Date): Promise<void> =>
  addJob(
    tx,
    remindOfHoldJob,
    { dealId },
    { key: `hold reminder of ${dealId}`, at: new Date(exclusiveUntil.getTime() - reminderMs) },
  )

export const remindOfHold = (deps: Deps): Task => ({
  places: 1,
  run: async ({ dealId }) => {
    if (typeof dealId === 'string') await transaction(deps, (tx) => remind(deps, tx, dealId))
    return undefined
  },
})

/** Reminds a buyer who has not signed, once per hold. */
async function remind(deps: Deps, tx: Db, dealId: string): Promise<void> {
  await lockDealById(tx, { id: dealId })
  const view = await readDealView(tx, dealId)
  const { status, exclusiveUntil, acceptedAt, passedAt, withdrawnAt, buyerId } = view.deal
  const isHeld = status === 'ACCEPTED' && exclusiveUntil && acceptedAt && !passedAt && !withdrawnAt
  if (!isHeld || view.buyerSignature) return
  if (exclusiveUntil <= view.now) return
  const once = { event: 'holdEndsSoon', recipientId: buyerId, dealId, since: acceptedAt } as const
  if (await wasNotified(tx, once)) return
  await notifyHoldEndsSoon(deps, tx, view, exclusiveUntil)
}
