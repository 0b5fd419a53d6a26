import { offerReminderMs } from '@keyturn/contract/trades/rules.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { addJob, type Tasks } from '../../platform/jobs/jobs.ts'
import { reminderTask } from '../notifications/reminders.ts'
import { listTradeTurns, notifyOfferEnded, notifyOfferReminder, publishTradeChange } from './notify.ts'
import { findEndedOffersToNotify, lockTrade } from './repository.ts'
import type { TradeRow } from './tables.ts'
import { expireDueOffers, findDueOffer } from './trade-events.ts'

/** Stays within the time limit of one statement. */
const maxPerStatement = 500
const maxNotified = 100
/** Limits the work of one request; the background job does the rest. */
const maxRounds = 4

/**
 * Expires offers older than seven days: their trades wait for an offer again. Runs in a job, and
 * before trades are read or moved, so that a late job changes no response. Returns the number of
 * expired offers.
 */
export async function expireOffers(db: Db): Promise<number> {
  let settled = 0
  for (let round = 0; round < maxRounds; round++) {
    const [due] = await findDueOffer(db, {})
    if (!due) break
    const count = await transaction(db, async (tx) => {
      const rows = await expireDueOffers(tx, maxPerStatement)
      if (rows.length > 0) {
        await publishTradeChange(
          tx,
          rows.map((row) => row.ownerId),
        )
        await enqueueEndNotifications(tx)
      }
      return rows.length
    })
    // Rows are due but locked: another process is settling them.
    if (count === 0) break
    settled += count
  }
  return settled
}

const settleOffersJob = 'settle-offers'
const notifyEndsJob = 'tell-of-ended-offers'

const remindJob = 'remind-of-offer'

/** Queues notifying both parties of every offer that has just ended, for any reason. */
export const enqueueEndNotifications = (tx: Db): Promise<void> =>
  addJob(tx, notifyEndsJob, {}, { key: 'ended offers' })

/** Schedules the reminder 24 hours before the offer ends, and the end itself. */
export async function scheduleOfferJobs(tx: Db, row: TradeRow): Promise<void> {
  const { id, offerExpiresAt } = row
  if (!offerExpiresAt) return
  await addJob(tx, settleOffersJob, {}, { key: `offer of ${id}`, at: offerExpiresAt })
  const at = new Date(offerExpiresAt.getTime() - offerReminderMs)
  await addJob(tx, remindJob, { id }, { key: `reminder of ${id}`, at })
}

/** Background jobs of this module. */
export const tradeTasks = (deps: Pick<Deps, 'db' | 'config'>): Tasks => ({
  [settleOffersJob]: {
    places: 2,
    run: async () => {
      await expireOffers(deps.db)
      // A due offer is locked by a concurrent move. The move will fail, and the offer still has to
      // expire.
      const [due] = await findDueOffer(deps.db, {})
      return due && { againInMs: 1000 }
    },
  },
  [notifyEndsJob]: {
    places: 1,
    run: async () => {
      const ended = await findEndedOffersToNotify(deps.db, { limit: maxNotified })
      for (const { id } of ended) await transaction(deps.db, (tx) => notifyOfferEnded(deps, tx, id))
      return ended.length === maxNotified ? { againInMs: 0 } : undefined
    },
  },
  [remindJob]: {
    places: 1,
    run: async ({ id }) => {
      if (typeof id === 'string') await transaction(deps.db, (tx) => notifyOfferReminder(deps, tx, id))
      return undefined
    },
  },
  ...reminderTask(deps, 'trade', async (tx, id) => {
    const [locked] = await lockTrade(tx, { id, ownerId: null })
    return locked ? listTradeTurns(deps, tx, locked.trade, locked.now) : []
  }),
})
