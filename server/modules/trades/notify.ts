import { carName } from '@keyturn/contract/cars/rules.ts'
import { quietBeforeEndMs, remindersAfterMs } from '@keyturn/contract/notifications/reminders.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import {
  offerPromiseMs,
  offerReminderMs,
  type TradeMoveName,
  waitsForOffer,
} from '@keyturn/contract/trades/rules.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open.ts'
import { notify, publishChange, publishChangeToWholesalers, type Turn } from '../notifications/actions.ts'
import { findLastOffer } from './ledger.ts'
import { endOffer, remindOfOffer } from './repository.ts'
import type { TradeRow } from './tables.ts'

const carOf = (row: TradeRow): string =>
  carName({ year: row.year, make: row.make, carModel: row.model, trim: row.trim })

export async function notifySubmitted(deps: Deps, tx: Db, row: TradeRow): Promise<void> {
  await publishTradeChange(tx, [row.ownerId])
  await notify(deps, tx, 'tradeAdded', { about: aboutTrade(row), facts: { car: carOf(row) } })
}

const aboutTrade = ({ id, ownerId, offeredBy }: Pick<TradeRow, 'id' | 'ownerId' | 'offeredBy'>) => ({
  tradeId: id,
  ownerId,
  offeredBy,
})

/** Who hears of a move stands in the contract's table of events. All of it leaves with the commit. */
export async function notifyMoved(deps: Deps, tx: Db, move: TradeMoveName, row: TradeRow): Promise<void> {
  await publishTradeChange(tx, [row.ownerId])
  const price = cents(row.priceCents ?? 0)
  const car = carOf(row)
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
      return notify(deps, tx, 'offerRejected', { about, facts: { car } })
    case 'reset':
      return notify(deps, tx, 'tradeReopened', { about, facts: { car } })
    case 'expire':
      // Told by the clock, once (`notifyOfferEnded`).
      return
    default:
      // A move of which nobody has said who hears of it does not compile.
      return move satisfies never
  }
}

/** A day before the end of an offer, its owner hears of it once. */
export async function notifyOfferReminder(deps: Pick<Deps, 'config'>, tx: Db, id: string): Promise<void> {
  // A minute more, because the clock of jobs knows milliseconds and the offer's end microseconds.
  const [row] = await remindOfOffer(tx, { id, withinMs: offerReminderMs + 60_000 })
  if (!row?.offerExpiresAt) return
  const facts = {
    car: carOf(row),
    price: cents(row.priceCents ?? 0),
    until: row.offerExpiresAt.toISOString(),
  }
  await notify(deps, tx, 'offerEndsSoon', { about: aboutTrade(row), facts })
}

/** The end of an offer is told once to its owner and to whoever made it. */
export async function notifyOfferEnded(deps: Pick<Deps, 'config'>, tx: Db, id: string): Promise<void> {
  const [row] = await endOffer(tx, { id })
  if (!row) return
  const facts = { car: carOf(row), price: cents(row.expiredPriceCents ?? 0) }
  const [offer] = await findLastOffer(tx, { tradeId: id })
  const offeredBy = offer?.by ?? null
  const about = aboutTrade({ ...row, offeredBy })
  await notify(deps, tx, 'offerEnded', { about, facts })
  if (waitsForOffer(row.status)) await notify(deps, tx, 'tradeReopened', { about, facts })
}

/** Whoever has something to do about this trade; what each wholesaler can do is done for all of them at once. */
export function turnsOnTrade(deps: Pick<Deps, 'config'>, tx: Db, row: TradeRow, now: Date): Turn[] {
  const about = aboutTrade(row)
  const car = carOf(row)
  const price = cents(row.priceCents ?? 0)
  switch (row.status) {
    case 'PENDING':
      return [
        {
          afterMs: [offerPromiseMs],
          remind: () => notify(deps, tx, 'tradeUnanswered', { about, facts: { car } }),
        },
      ]
    case 'OFFERED': {
      const leftMs = (row.offerExpiresAt?.getTime() ?? 0) - now.getTime()
      const afterMs = leftMs > 0 ? remindersAfterMs : []
      const remind = async () => {
        if (leftMs > quietBeforeEndMs)
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
    default:
      return []
  }
}

/** A trade shows on its owner's and on every wholesaler's screen, and decides where a purchase stands. */
export async function publishTradeChange(tx: Db, ownerIds: readonly string[]): Promise<void> {
  await publishChange(tx, ownerIds, 'trades', 'deals')
  await publishChangeToWholesalers(tx, 'trades')
}
