import { carName } from '@keyturn/contract/cars/rules.ts'
import { noRemindersBeforeEndMs, remindersAfterMs } from '@keyturn/contract/notifications/reminders.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import {
  isActiveTrade,
  isAgreedTrade,
  isFirstOfferDue,
  offerReminderMs,
  promisedOfferTimeMs,
  type TradeMoveName,
  waitsForOffer,
} from '@keyturn/contract/trades/rules.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { isSuspended } from '../accounts/people/suspension.ts'
import { publishChange, publishChangeToWholesalers } from '../notifications/events/publish-change.ts'
import { notify, notifyEach } from '../notifications/notify.ts'
import type { ReminderTurn } from '../notifications/reminders.ts'
import { isWithdrawn } from './move-rules.ts'
import { findTradesInDeal, markOfferEndNotified, markOfferReminded } from './repository.ts'
import type { TradeRow } from './tables.ts'
import { findLastOffer } from './trade-events.ts'

const carNameOf = (row: TradeRow): string =>
  carName({ year: row.year, make: row.make, carModel: row.model, trim: row.trim })

export async function notifySubmitted(deps: Deps, tx: Db, row: TradeRow): Promise<void> {
  await publishTradeChange(tx, [row.ownerId])
  await notify(deps, tx, 'tradeAdded', { about: aboutTrade(row), facts: { car: carNameOf(row) } })
}

const aboutTrade = ({ id, ownerId, offeredBy }: Pick<TradeRow, 'id' | 'ownerId' | 'offeredBy'>) => ({
  tradeId: id,
  ownerId,
  offeredBy,
})

/** Notifies the recipients in the contract's table of events, when the transaction commits. */
export async function notifyMoved(deps: Deps, tx: Db, move: TradeMoveName, row: TradeRow): Promise<void> {
  await publishTradeChange(tx, [row.ownerId])
  const price = cents(row.priceCents ?? 0)
  const car = carNameOf(row)
  const about = aboutTrade(row)
  switch (move) {
    case 'offer':
      return notify(deps, tx, 'tradeOffered', { about, facts: { car, price } })
    case 'counter':
      return notify(deps, tx, 'counterOffered', { about, facts: { car, price } })
    case 'accept':
      return notify(deps, tx, 'offerAccepted', { about, facts: { car, price } })
    case 'reject':
    case 'forfeit':
      return notify(deps, tx, 'offerRejected', { about, facts: { car, wasForfeited: move === 'forfeit' } })
    case 'reset':
      return notifyReopened(deps, tx, row)
    case 'withdraw':
      return notifyWithdrawn(deps, tx, row)
    case 'expire':
      // The expiry job notifies once (`notifyOfferEnded`).
      return
    default:
      // A new move without a notification does not compile.
      return move satisfies never
  }
}

export async function notifyOfferReminder(deps: Pick<Deps, 'config'>, tx: Db, id: string): Promise<void> {
  // One minute of tolerance: jobs count in milliseconds, the offer's end in microseconds.
  const [row] = await markOfferReminded(tx, { id, withinMs: offerReminderMs + 60_000 })
  if (!row?.offerExpiresAt) return
  const facts = {
    car: carNameOf(row),
    price: cents(row.priceCents ?? 0),
    until: row.offerExpiresAt.toISOString(),
  }
  await notify(deps, tx, 'offerEndsSoon', { about: aboutTrade(row), facts })
}

async function notifyWithdrawn(deps: Pick<Deps, 'config'>, tx: Db, row: TradeRow): Promise<void> {
  const about = aboutTrade(row)
  const facts = { car: carNameOf(row), price: cents(row.expiredPriceCents ?? 0) }
  await notify(deps, tx, 'offerWithdrawn', { about, facts })
  if (waitsForOffer(row.status)) await notifyReopened(deps, tx, row)
}

/** Wholesalers do not see the trades of a suspended owner (R-accounts-63), so they hear nothing of them. */
async function notifyReopened(deps: Pick<Deps, 'config'>, tx: Db, row: TradeRow): Promise<void> {
  if (await isSuspended(tx, row.ownerId)) return
  await notify(deps, tx, 'tradeReopened', { about: aboutTrade(row), facts: { car: carNameOf(row) } })
}

export async function notifyOfferEnded(deps: Pick<Deps, 'config'>, tx: Db, id: string): Promise<void> {
  const [row] = await markOfferEndNotified(tx, { id })
  if (!row) return
  if (isWithdrawn(row)) return notifyWithdrawn(deps, tx, row)
  const takesOffers = waitsForOffer(row.status)
  const facts = { car: carNameOf(row), price: cents(row.expiredPriceCents ?? 0), takesOffers }
  const [offer] = await findLastOffer(tx, { tradeId: id })
  const offeredBy = offer?.by ?? null
  const about = aboutTrade({ ...row, offeredBy })
  await notify(deps, tx, 'offerEnded', { about, facts })
  if (takesOffers) await notifyReopened(deps, tx, row)
}

/** Notifies the wholesaler whose offer was open or accepted. */
export async function notifyDeleted(deps: Deps, tx: Db, row: TradeRow): Promise<void> {
  if (!isActiveTrade(row.status)) return
  const accepted = isAgreedTrade(row.status) ? cents(row.priceCents ?? 0) : null
  await notify(deps, tx, 'tradeDeleted', { about: aboutTrade(row), facts: { car: carNameOf(row), accepted } })
}

/** Notifies the wholesalers whose offers for the trade-ins of a completed deal were accepted. */
export async function notifyUsed(deps: Deps, tx: Db, dealId: string): Promise<void> {
  const used = (await findTradesInDeal(tx, { dealId })).map((row) => ({
    about: aboutTrade(row),
    facts: { car: carNameOf(row), price: cents(row.priceCents ?? 0) },
  }))
  await notifyEach(deps, tx, 'tradeUsed', used)
}

/** Finds who has to act on this trade; one action by any wholesaler counts for all of them. */
export function listTradeTurns(deps: Pick<Deps, 'config'>, tx: Db, row: TradeRow, now: Date): ReminderTurn[] {
  const about = aboutTrade(row)
  const car = carNameOf(row)
  const price = cents(row.priceCents ?? 0)
  switch (row.status) {
    case 'PENDING':
      return [
        {
          afterMs: [promisedOfferTimeMs],
          async remind() {
            if (await isSuspended(tx, row.ownerId)) return
            await notify(deps, tx, 'tradeUnanswered', {
              about,
              facts: { car, isReopened: !isFirstOfferDue(row) },
            })
          },
        },
      ]
    case 'OFFERED': {
      const leftMs = (row.offerExpiresAt?.getTime() ?? 0) - now.getTime()
      const afterMs = leftMs > 0 ? remindersAfterMs : []
      const remind = async () => {
        if (leftMs > noRemindersBeforeEndMs)
          await notify(deps, tx, 'offerUnanswered', { about, facts: { car, price } })
      }
      return [{ afterMs, remind }]
    }
    case 'OFFER':
      return [
        {
          afterMs: remindersAfterMs,
          remind: () => notify(deps, tx, 'counterUnanswered', { about, facts: { car, price } }),
        },
      ]
    case 'ACCEPTED':
    case 'REJECTED':
      return []
  }
}

/** Publishes to the owner and all wholesalers; the owner's deals also depend on the trade. */
export async function publishTradeChange(tx: Db, ownerIds: readonly string[]): Promise<void> {
  await publishChange(tx, ownerIds, 'trades', 'deals')
  await publishChangeToWholesalers(tx, 'trades')
}
