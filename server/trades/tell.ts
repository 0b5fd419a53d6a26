import { carName } from '@keyturn/contract/cars/rules.ts'
import { cents } from '@keyturn/contract/kit/money.ts'
import { notices } from '@keyturn/contract/notifications/texts.ts'
import type { TradeMoveName } from '@keyturn/contract/trades/rules.ts'
import { findPerson } from '../accounts/actions.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Letter } from '../mail/letter.ts'
import { sendMail } from '../mail/mails.ts'
import { notify, touch, touchWholesalers } from '../notifications/actions.ts'
import { acceptedLetter, counterLetter, newTradeLetter, rejectedLetter } from './letters.ts'
import { findWholesalers } from './store.ts'
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

/** A trade shows on its owner's and on every wholesaler's screen, and decides where a purchase stands. */
export async function touchTrade(tx: Db, ownerIds: readonly string[]): Promise<void> {
  await touch(tx, ownerIds, 'trades', 'deals')
  await touchWholesalers(tx, 'trades')
}

async function write(deps: Deps, tx: Db, personId: string | null, letter: Letter): Promise<void> {
  const person = personId === null ? null : await findPerson(tx, personId)
  if (person) await sendMail(deps, tx, { id: person._id, email: person.email }, letter)
}
