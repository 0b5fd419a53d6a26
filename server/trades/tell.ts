import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatDeadline } from '@keyturn/contract/kit/dates.ts'
import { cents } from '@keyturn/contract/kit/money.ts'
import { notices } from '@keyturn/contract/notifications/texts.ts'
import { offerReminderMs, type TradeMoveName } from '@keyturn/contract/trades/rules.ts'
import { findPerson } from '../accounts/actions.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Letter } from '../mail/letter.ts'
import { sendMail } from '../mail/mails.ts'
import { notify, touch, touchWholesalers } from '../notifications/actions.ts'
import { findLastOffer } from './ledger.ts'
import {
  acceptedLetter,
  counterLetter,
  newTradeLetter,
  offerEndedLetter,
  offerEndsSoonLetter,
  ownOfferEndedLetter,
  rejectedLetter,
} from './letters.ts'
import { endOffer, findWholesalers, remindOfOffer } from './store.ts'
import type { TradeRow } from './tables.ts'

const carOf = (row: TradeRow): string =>
  carName({ year: row.year, make: row.make, carModel: row.model, trim: row.trim })

/** More wholesalers than this are a marketplace of its own, and look at the dashboard. */
const mostLetters = 100

export async function tellSubmitted(deps: Deps, tx: Db, row: TradeRow): Promise<void> {
  await touchTrade(tx, [row.ownerId])
  const letter = newTradeLetter(deps.config, carOf(row))
  for (const { id, email } of await findWholesalers(tx, { limit: mostLetters }))
    if (email) await sendMail(deps, tx, { id, email }, letter)
}

/** An offer rings its owner's bell; the answers to it go by mail to whoever made it. All of it leaves with the commit. */
export async function tellMoved(deps: Deps, tx: Db, move: TradeMoveName, row: TradeRow): Promise<void> {
  await touchTrade(tx, [row.ownerId])
  const price = cents(row.priceCents ?? 0)
  const car = carOf(row)
  switch (move) {
    case 'offer':
      return notify(tx, { recipientId: row.ownerId, ...notices.tradeOffered({ car, price }) })
    case 'counter':
      return write(deps, tx, row.offeredBy, counterLetter(deps.config, car, price))
    case 'accept':
      return write(deps, tx, row.offeredBy, acceptedLetter(deps.config, car, price))
    case 'reject':
    case 'forfeit':
      return write(deps, tx, row.offeredBy, rejectedLetter(deps.config, car))
    case 'reset':
    case 'expire':
      return
    default:
      // A move of which nobody has said who hears of it does not compile.
      return move satisfies never
  }
}

/** A day before the end of an offer, its owner hears of it once. */
export async function tellReminder(deps: Pick<Deps, 'config'>, tx: Db, id: string): Promise<void> {
  // A minute more, because the clock of jobs knows milliseconds and the offer's end microseconds.
  const [row] = await remindOfOffer(tx, { id, withinMs: offerReminderMs + 60_000 })
  if (!row?.offerExpiresAt) return
  const until = formatDeadline(row.offerExpiresAt.toISOString())
  const about = { car: carOf(row), price: cents(row.priceCents ?? 0), until }
  await notify(tx, { recipientId: row.ownerId, ...notices.offerEndsSoon(about) })
  await write(deps, tx, row.ownerId, offerEndsSoonLetter(deps.config, about))
}

/** The end of an offer is told once to its owner and to whoever made it. */
export async function tellEnded(deps: Pick<Deps, 'config'>, tx: Db, id: string): Promise<void> {
  const [row] = await endOffer(tx, { id })
  if (!row) return
  const about = { car: carOf(row), price: cents(row.expiredPriceCents ?? 0) }
  const [offer] = await findLastOffer(tx, { tradeId: id })
  await notify(tx, { recipientId: row.ownerId, ...notices.offerEnded(about) })
  await write(deps, tx, row.ownerId, offerEndedLetter(deps.config, about.car, about.price))
  await write(deps, tx, offer?.by ?? null, ownOfferEndedLetter(deps.config, about.car, about.price))
}

/** A trade shows on its owner's and on every wholesaler's screen, and decides where a purchase stands. */
export async function touchTrade(tx: Db, ownerIds: readonly string[]): Promise<void> {
  await touch(tx, ownerIds, 'trades', 'deals')
  await touchWholesalers(tx, 'trades')
}

async function write(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  personId: string | null,
  letter: Letter,
): Promise<void> {
  const person = personId === null ? null : await findPerson(tx, personId)
  if (person) await sendMail(deps, tx, { id: person._id, email: person.email }, letter)
}
